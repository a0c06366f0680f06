// The cluster's time, for "ago". One timer for the page, and none while no component shows a time.
import { useSyncExternalStore } from 'react';
import { createListeners, every } from './listeners.js';

let offsetSeconds = 0;
let now = Math.floor(Date.now() / 1_000);
const { subscribe, notify } = createListeners(every(1_000, tick));

/** Sets the offset to the cluster's clock, which can differ from this machine's clock. */
export function setClusterTime(unixSeconds: number): void {
  offsetSeconds = unixSeconds - Date.now() / 1_000;
  tick();
}

function tick(): void {
  now = clusterNow();
  notify();
}

/** The cluster's time in Unix seconds. */
export const clusterNow = () => Math.floor(Date.now() / 1_000 + offsetSeconds);
/** The cluster's time in Unix seconds, which goes on. */
export const useNow = () => useSyncExternalStore(subscribe, () => now);
