// The theme follows the system until the user chooses one.
import { useSyncExternalStore } from 'react';
import { storage } from './storage.js';

export type Theme = 'system' | 'dark' | 'light';
const KEY = 'curvekit:theme';
const CHANGED = 'curvekit:theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

export function chosenTheme(): Theme {
  const kept = storage.getItem(KEY);
  return kept === 'dark' || kept === 'light' ? kept : 'system';
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') storage.removeItem(KEY);
  else storage.setItem(KEY, theme);
  applyTheme(theme);
  dispatchEvent(new Event(CHANGED));
}

function subscribe(notify: () => void): () => void {
  addEventListener(CHANGED, notify);
  dark.addEventListener('change', notify);
  return () => {
    removeEventListener(CHANGED, notify);
    dark.removeEventListener('change', notify);
  };
}

export const useTheme = () => useSyncExternalStore(subscribe, chosenTheme);
/** The current theme: "dark" or "light". */
export const useShownTheme = () =>
  useSyncExternalStore(subscribe, () => {
    const theme = chosenTheme();
    if (theme !== 'system') return theme;
    return dark.matches ? 'dark' : 'light';
  });
