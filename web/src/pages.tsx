// The pages. Each is loaded when it is first shown.
import { loaded, reloadOnce } from './load.js';
import { part, type Module } from './part.js';
import type { Route } from './router.js';
import { words } from './words/words.js';

const loads = new Map<string, () => Promise<unknown>>();
const preloaded = new Map<string, unknown>();

/** Loads the first page before anything is drawn, so that no skeleton appears in between. */
export async function loadPage({ page }: Route): Promise<void> {
  const load = loads.get(page);
  if (load !== undefined) preloaded.set(page, await load());
}

function page<Props extends object>(name: string, load: () => Promise<Module<Props>>) {
  loads.set(name, load);
  return part(load, <Skeleton />, () => {
    const module = preloaded.get(name) as Module<Props> | undefined;
    // A thenable that resolves synchronously is drawn at once.
    return module === undefined
      ? loaded(load).catch(reloadOnce)
      : ({ then: (use) => use?.(module) } as ReturnType<typeof load>);
  });
}

function Skeleton() {
  return (
    <div className="page-skeleton" role="status">
      <span className="sr">{words.loading}</span>
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}

export const Board = page('board', () => import('./pages/board.js'));
export const TokenPage = page('token', () => import('./pages/token.js'));
export const Launch = page('launch', () => import('./pages/launch.js'));
export const Rewards = page('rewards', () => import('./pages/rewards.js'));
export const WalletPage = page('wallet', () => import('./pages/wallet.js'));
export const NotFound = page('unknown', () => import('./pages/not-found.js'));
export const Terms = page('terms', () => import('./pages/terms.js'));
