// A part of the page that is loaded when it is first shown. When that fails, the rest of the page keeps working.
import { lazy, Suspense, useReducer, type ComponentType, type ReactNode } from 'react';
import { Boundary } from './boundary.js';
import { loaded } from './load.js';

export interface Module<Props> {
  readonly default: ComponentType<Props>;
}

/** @param fallback shown until it is loaded */
export function part<Props extends object>(
  load: () => Promise<Module<Props>>,
  fallback?: ReactNode,
  attempt = () => loaded(load).then(apart),
): ComponentType<Props> {
  let Loaded = lazy(attempt);
  return function Part(props: Props) {
    const [, render] = useReducer((count: number) => count + 1, 0);
    const retry = () => {
      // A lazy component keeps its failure.
      Loaded = lazy(attempt);
      render();
    };
    return (
      <Boundary onRetry={retry}>
        <Suspense fallback={fallback}>
          <Loaded {...props} />
        </Suspense>
      </Boundary>
    );
  };
}

/** Runs a module and draws it in two tasks, so that a slow phone answers in between. */
async function apart<T>(module: T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve));
  return module;
}
