// Single-key shortcuts: "/" search, "b" buy, "s" sell. Users can switch them off (WCAG 2.1.4).
import { useEffect, useSyncExternalStore } from 'react';

const KEY = 'curvekit:shortcuts';
const CHANGED = 'curvekit:shortcuts';
const NAMES: Readonly<Record<string, string>> = { '/': 'search', b: 'buy', s: 'sell' };

const isOn = () => localStorage.getItem(KEY) !== 'off';

export function setShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
  dispatchEvent(new Event(CHANGED));
}

export const useShortcutsOn = () =>
  useSyncExternalStore((notify) => {
    addEventListener(CHANGED, notify);
    return () => removeEventListener(CHANGED, notify);
  }, isOn);

/** A key activates the visible element with its name in `data-shortcut`: it focuses an input and clicks a button. */
export function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isOn()) return;
      if ((event.target as Element).closest('input, textarea, select, dialog, [contenteditable]') !== null)
        return;
      const name = NAMES[event.key];
      const found = [...document.querySelectorAll<HTMLElement>(`[data-shortcut="${name}"]`)];
      const element = found.find((each) => each.offsetParent !== null);
      if (name === undefined || element === undefined) return;
      event.preventDefault();
      if (!(element instanceof HTMLInputElement)) element.click();
      element.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
