// The pages. Each is loaded when it is first shown.
import { lazy, type ComponentType } from 'react';
import type { Route } from './router.js';

interface Module<Props> {
  readonly default: ComponentType<Props>;
}

const loads = new Map<string, () => Promise<unknown>>();
const loaded = new Map<string, unknown>();

/** Loads the first page before React renders. After React has rendered a skeleton, it keeps it for at least 300 ms. */
export async function loadPage({ page }: Route): Promise<void> {
  loaded.set(page, await loads.get(page)?.());
}

function page<Props>(name: string, load: () => Promise<Module<Props>>) {
  loads.set(name, load);
  return lazy(() => {
    const module = loaded.get(name) as Module<Props> | undefined;
    // React accepts any thenable, and renders at once when it resolves synchronously.
    return module === undefined ? load() : ({ then: (use) => use?.(module) } as Promise<Module<Props>>);
  });
}

export const Board = page('board', () => import('./pages/board.js'));
export const TokenPage = page('token', () => import('./pages/token.js'));
export const Launch = page('launch', () => import('./pages/launch.js'));
export const Rewards = page('rewards', () => import('./pages/rewards.js'));
export const WalletPage = page('wallet', () => import('./pages/wallet.js'));
export const Terms = page('terms', () => import('./pages/terms.js'));
