// The components of the pages, by the names of their files. Each is loaded when it is first shown.
import type { ComponentType } from 'react';
import { loaded, reloadOnce } from './load.js';
import { part, type Module } from './part.js';
import type { Route } from './router.js';
import { words } from './words/words.js';

interface PageProps {
  /** The address or signature in the page's path. */
  readonly address: string;
}
type Load = () => Promise<Module<PageProps>>;

const LOADS = import.meta.glob<Module<PageProps>>('./pages/*.tsx');
const loadOf = ({ page }: Route): Load => LOADS[`./pages/${page}.tsx`]!;

const preloaded = new Map<Load, Module<PageProps>>();

/** Loads the first page before anything is drawn, so that no skeleton appears in between. */
export async function loadPage(route: Route): Promise<void> {
  const load = loadOf(route);
  preloaded.set(load, await load());
}

function lazily(load: Load): ComponentType<PageProps> {
  return part(load, <Skeleton />, () => {
    const module = preloaded.get(load);
    // A thenable that resolves synchronously is drawn at once.
    return module === undefined
      ? loaded(load).catch(reloadOnce)
      : ({ then: (use) => use?.(module) } as ReturnType<Load>);
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

/** Loads nothing before a page is drawn. */
const COMPONENTS = new Map(Object.values(LOADS).map((load) => [load, lazily(load)]));

export const componentOf = (route: Route): ComponentType<PageProps> => COMPONENTS.get(loadOf(route))!;
