// The tokens that the reader watches: the newest first, in this browser only.
import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.js';
import { storage } from './storage.js';

const KEY = 'curvekit:watched';
/** As many as one request may name. */
export const MOST_WATCHED = 50;
const { subscribe, notify } = createListeners();
let watched = kept();

function kept(): readonly string[] {
  return (storage.getItem(KEY) ?? '').split(' ').filter((mint) => mint !== '');
}

export function toggleWatched(mint: string): void {
  const others = kept().filter((each) => each !== mint);
  watched = others.length < kept().length ? others : [mint, ...others].slice(0, MOST_WATCHED);
  storage.setItem(KEY, watched.join(' '));
  notify();
}

const TELLING = 'curvekit:telling';

/** Whether the page may tell about watched tokens (board/tell.ts). */
export const useTelling = () => useSyncExternalStore(subscribe, () => storage.getItem(TELLING) !== null);

export function setTelling(on: boolean): void {
  if (on) storage.setItem(TELLING, 'on');
  else storage.removeItem(TELLING);
  notify();
}

export const useWatched = () => useSyncExternalStore(subscribe, () => watched);
