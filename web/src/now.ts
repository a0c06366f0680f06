// The cluster's time, for "ago". One timer for the page, and none while no component shows a time.
import { useSyncExternalStore } from 'react';

let offsetSeconds = 0;
let now = Math.floor(Date.now() / 1_000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Sets the offset to the cluster's clock, which can differ from this machine's clock. */
export function setClusterTime(unixSeconds: number): void {
  offsetSeconds = unixSeconds - Date.now() / 1_000;
  tick();
}

function tick(): void {
  now = clusterNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The cluster's time in Unix seconds. */
export const clusterNow = () => Math.floor(Date.now() / 1_000 + offsetSeconds);
/** The cluster's time in Unix seconds, which goes on. */
export const useNow = () => useSyncExternalStore(subscribe, () => now);
