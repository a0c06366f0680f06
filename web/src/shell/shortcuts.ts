// Single-key shortcuts: "/" search, "b" buy, "s" sell, "u" dollars, "?" their list. Users can switch them off (WCAG 2.1.4).
import { useEffect, useSyncExternalStore } from 'react';
import { switchDollars } from '../dollars.js';
import { storage } from '../storage.js';

const KEY = 'curvekit:shortcuts';
const CHANGED = 'curvekit:shortcuts';
const NAMES: Readonly<Record<string, string>> = { '/': 'search', b: 'buy', s: 'sell' };

const isOn = () => storage.getItem(KEY) !== 'off';

export function setShortcuts(on: boolean): void {
  if (on) storage.removeItem(KEY);
  else storage.setItem(KEY, 'off');
  dispatchEvent(new Event(CHANGED));
}

export const useShortcutsOn = () =>
  useSyncExternalStore((notify) => {
    addEventListener(CHANGED, notify);
    return () => removeEventListener(CHANGED, notify);
  }, isOn);

/**
 * A key activates the visible element with its name in `data-shortcut`: it focuses an input, or clicks a button and focuses the
 * amount that belongs to it.
 *
 * @param onList called when the list of keys is wanted
 */
export function useShortcuts(onList: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isOn()) return;
      if ((event.target as Element).closest('input, textarea, select, dialog, [contenteditable]') !== null)
        return;
      if (event.key === '?') onList();
      if (event.key === 'u') switchDollars();
      const name = NAMES[event.key];
      const found = [...document.querySelectorAll<HTMLElement>(`[data-shortcut="${name}"]`)];
      const element = found.find((each) => each.offsetParent !== null);
      if (name === undefined || element === undefined) return;
      event.preventDefault();
      if (!(element instanceof HTMLInputElement)) element.click();
      (element.closest('form')?.querySelector<HTMLElement>('.amount input') ?? element).focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onList]);
}
