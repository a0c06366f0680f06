// SOL and tokens of the connected wallet. What reads them is loaded when a wallet is connected.
import { useEffect, useSyncExternalStore } from 'react';
import { useConfig } from '../config.js';
import { loaded } from '../load.js';
import type { MarketConfig } from '../market/types.js';

export interface Balances {
  readonly sol: bigint;
  /** Token base units by mint. */
  readonly tokens: ReadonlyMap<string, bigint>;
}

/** How soon a deposit is shown at the latest. Only while the page is visible. */
const REFRESH_MS = 10_000;

let owner: string | undefined;
let config: MarketConfig;
let balances: Balances | undefined;
let reading = 0;
/** Components that show balances. One timer reads for all of them. */
let showing = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function set(value: Balances | undefined): void {
  balances = value;
  for (const listener of listeners) listener();
}

/** Reads the balances again. Keeps the known ones when the node does not answer. */
export async function refreshBalances(): Promise<void> {
  const address = owner;
  if (address === undefined) return;
  const number = (reading += 1);
  try {
    const { readBalances } = await loaded(() => import('./read-balances.js'));
    const read = await readBalances(config, address);
    if (number === reading && address === owner) set(read);
  } catch (error) {
    console.warn('the balances cannot be read', error);
  }
}

function look(): void {
  if (document.visibilityState === 'visible') void refreshBalances();
}

function begin(): void {
  timer = setInterval(look, REFRESH_MS);
  // A user comes back from the exchange or the app that has sent something.
  document.addEventListener('visibilitychange', look);
}

function end(): void {
  clearInterval(timer);
  document.removeEventListener('visibilitychange', look);
}

/** Balances of the connected wallet. Undefined until they are known. */
export function useBalances(address: string | undefined): Balances | undefined {
  const current = useConfig();
  useEffect(() => {
    config = current;
    if (owner !== address) {
      owner = address;
      set(undefined);
    }
    if (address === undefined) return undefined;
    void refreshBalances();
    if (showing === 0) begin();
    showing += 1;
    return () => {
      showing -= 1;
      if (showing === 0) end();
    };
  }, [address, current]);
  const known = useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => balances,
  );
  return address === undefined ? undefined : known;
}
