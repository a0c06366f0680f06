// How far the device's clock is from the service's, as the answers' header `Date` tells.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.js';

/** The SDK corrects what is more than this; the header has whole seconds. */
const LEAST_MS = 10_000;
let offMs = 0;
const { subscribe, notify } = createListeners();

/** `fetch` that looks at the time of each answer. */
export const timedFetch: typeof fetch = async (url, init) => {
  const answer = await fetch(url, init);
  const at = Date.parse(answer.headers.get('date') ?? '');
  if (!Number.isNaN(at)) {
    offMs = Date.now() - at;
    notify();
  }
  return answer;
};

/** Seconds that the device's clock is fast; negative when it is slow, 0 when it is right. */
export function useSecondsFast(): number {
  const off = useSyncExternalStore(subscribe, () => Math.round(offMs / 1_000));
  return Math.abs(off) * 1_000 < LEAST_MS ? 0 : off;
}
