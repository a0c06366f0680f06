// The market cap at which a sale of all that the connected wallet holds pays back what it has paid. The trade box finds it, and the
// chart draws it.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.js';

let shown: { readonly mint: string; readonly cap: number } | undefined;
const { subscribe, notify } = createListeners();

export function showEven(mint: string, cap: number | undefined): void {
  shown = cap === undefined ? undefined : { mint, cap };
  notify();
}

/** In SOL. Undefined without a holding that was paid for. */
export function useEven(mint: string): number | undefined {
  return useSyncExternalStore(subscribe, () => (shown?.mint === mint ? shown.cap : undefined));
}
