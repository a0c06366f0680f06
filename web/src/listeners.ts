// What `useSyncExternalStore` needs of a value outside of the components.
export interface Listeners {
  readonly subscribe: (listener: () => void) => () => void;
  readonly notify: () => void;
}

/** @param begin called for the first listener; what it returns is called when the last one has gone */
export function createListeners(begin?: () => () => void): Listeners {
  const all = new Set<() => void>();
  let end: (() => void) | undefined;
  return {
    subscribe(listener) {
      all.add(listener);
      if (all.size === 1) end = begin?.();
      return () => {
        all.delete(listener);
        if (all.size === 0) end?.();
      };
    },
    notify: () => all.forEach((listener) => listener()),
  };
}

/** Calls a function again and again, for `begin`. */
export const every = (milliseconds: number, call: () => void) => () => {
  const timer = setInterval(call, milliseconds);
  return () => clearInterval(timer);
};
