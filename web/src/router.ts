// Routes by path. The browser handles clicks with a modifier key and middle clicks as usual.
import { useSyncExternalStore, type MouseEvent } from 'react';
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
const TOKEN = new RegExp(`^/t/${ADDRESS}/?$`);
const WALLET = new RegExp(`^/w/${ADDRESS}/?$`);

export const isAddress = (text: string) => new RegExp(`^${ADDRESS}$`).test(text);

export type Route =
  | { readonly page: 'board' | 'launch' | 'rewards' | 'terms' | 'unknown' }
  | { readonly page: 'token' | 'wallet'; readonly address: string };

export function routeOf(path: string): Route {
  const token = TOKEN.exec(path)?.[1];
  if (token !== undefined) return { page: 'token', address: token };
  const wallet = WALLET.exec(path)?.[1];
  if (wallet !== undefined) return { page: 'wallet', address: wallet };
  switch (path.replace(/(.)\/$/, '$1')) {
    case '/':
      return { page: 'board' };
    case '/launch':
      return { page: 'launch' };
    case '/rewards':
      return { page: 'rewards' };
    case '/terms':
      return { page: 'terms' };
    default:
      return { page: 'unknown' };
  }
}
