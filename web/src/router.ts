// Routes by path. The browser handles clicks with a modifier key and middle clicks as usual.
import { type MouseEvent, useSyncExternalStore } from 'react';
import { NOT_FOUND, PAGE_NAMES, type PageName, PAGES } from './pages/table.js';

const subscribe = (notify: () => void) => {
  addEventListener('popstate', notify);
  return () => removeEventListener('popstate', notify);
};

export const usePath = () => useSyncExternalStore(subscribe, () => location.pathname);
export const useQuery = () => new URLSearchParams(useSyncExternalStore(subscribe, () => location.search));

/** This page with another value of a parameter, or without it. */
export function withParameter(name: string, value = ''): string {
  const query = new URLSearchParams(location.search);
  if (value === '') query.delete(name);
  else query.set(name, value);
  return query.size === 0 ? location.pathname : `${location.pathname}?${query.toString()}`;
}

/** The tab in the address, and a function that selects another one. The first one needs no parameter. */
export function useTab<T extends string>(
  tabs: readonly [T, ...T[]],
  name = 'tab',
): readonly [T, (tab: T) => void] {
  const asked = useQuery().get(name);
  const select = (tab: T) => go(withParameter(name, tab === tabs[0] ? '' : tab), { replace: true });
  return [tabs.find((tab) => tab === asked) ?? tabs[0], select];
}

export function go(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const from = location.pathname;
  if (replace) history.replaceState(history.state, '', url);
  else history.pushState(leaveEntry(), '', url);
  dispatchEvent(new PopStateEvent('popstate'));
  if (location.pathname !== from) scrollTo(0, 0);
}

export function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(event.currentTarget.href);
}

const ADDRESS = '([1-9A-HJ-NP-Za-km-z]{32,44})';
const SIGNATURE = '([1-9A-HJ-NP-Za-km-z]{64,88})';
const PATTERNS = PAGE_NAMES.map((page) => {
  const path = PAGES[page].replace(/\/$/, '').replace(':address', ADDRESS).replace(':signature', SIGNATURE);
  return { page, pattern: new RegExp(`^${path}/?$`) };
});

export const isAddress = (text: string) => new RegExp(`^${ADDRESS}$`).test(text);

export interface Route {
  readonly page: PageName | typeof NOT_FOUND;
  /** Or the signature in its path. Empty for a page without one. */
  readonly address: string;
}

export function routeOf(path: string): Route {
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match !== null) return { page, address: match[1] ?? '' };
  }
  return { page: NOT_FOUND, address: '' };
}

const LONGEST_MS = 3_000;
/** How long the page must stay there, while parts of it arrive. */
const SETTLED_MS = 300;
const left = new Map<string, number>();

interface EntryState {
  readonly entry?: string;
}
const entryNow = () => (history.state as EntryState | null)?.entry ?? '';
let shown = entryNow();

/** Call it before a new entry of the history is made. @returns the entry's state */
function leaveEntry(): EntryState {
  history.scrollRestoration = 'manual';
  left.set(shown, scrollY);
  shown = `${Date.now()} ${Math.random()}`;
  return { entry: shown };
}

addEventListener('popstate', ({ isTrusted }) => {
  // The others are the router's own.
  if (!isTrusted) return;
  left.set(shown, scrollY);
  shown = entryNow();
  scrollSoon(left.get(shown) ?? 0);
});
// A reload is the browser's: it knows the place.
addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));

/** Scrolls as soon as the page is long enough, unless the user does something meanwhile. */
function scrollSoon(to: number): void {
  const start = performance.now();
  let reached = start;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort();
  for (const type of ['wheel', 'touchstart', 'mousedown', 'keydown', 'popstate'])
    addEventListener(type, stop, { signal });
  const step = (now: number) => {
    if (signal.aborted) return;
    if (Math.abs(scrollY - to) > 1) {
      scrollTo(0, to);
      reached = now;
    }
    if (now - reached > SETTLED_MS || now - start > LONGEST_MS) stop();
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
