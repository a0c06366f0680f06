// Routes by path. The browser handles clicks with a modifier key and middle clicks as usual.
import { useSyncExternalStore, type MouseEvent } from 'react';
import { NOT_FOUND, PAGE_NAMES, PAGES, type PageName } from './pages/table.js';
import { leaveEntry } from './scroll.js';

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
export function useTab<T extends string>(tabs: readonly [T, ...T[]]): readonly [T, (tab: T) => void] {
  const asked = useQuery().get('tab');
  const select = (tab: T) => go(withParameter('tab', tab === tabs[0] ? '' : tab), { replace: true });
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
const PATTERNS = PAGE_NAMES.map((page) => {
  const path = PAGES[page].path.replace(/\/$/, '').replace(':address', ADDRESS);
  return { page, pattern: new RegExp(`^${path}/?$`) };
});

export const isAddress = (text: string) => new RegExp(`^${ADDRESS}$`).test(text);

export interface Route {
  readonly page: PageName | typeof NOT_FOUND;
  /** Empty for a page without an address in its path. */
  readonly address: string;
}

export function routeOf(path: string): Route {
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match !== null) return { page, address: match[1] ?? '' };
  }
  return { page: NOT_FOUND, address: '' };
}
