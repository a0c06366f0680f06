// SOL of the connected wallet, and what it can sell of the token on the page. What reads them is loaded when a wallet is connected.
import { useEffect, useSyncExternalStore } from 'react';
import type { Rent } from '../chain/rent.js';
import { useConfig } from '../config.js';
import { createListeners } from '../listeners.js';
import { loaded } from '../load.js';
import type { MarketConfig } from '../market/types.js';

export interface Balances {
  readonly sol: bigint;
  /** Token base units by mint, of the token on the page only: what its associated account holds, because trades use no other one. */
  readonly tokens: ReadonlyMap<string, bigint>;
  /** The token on the page. */
  readonly mint: string | undefined;
  readonly rent: Rent;
}

/** How soon a deposit is shown at the latest. Only while the page is visible. */
const REFRESH_MS = 10_000;

let owner: string | undefined;
let config: MarketConfig;
/** The token whose trades are shown. */
let shown: string | undefined;
let balances: Balances | undefined;
let reading = 0;
/** Components that show balances. One timer reads for all of them. */
let showing = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const { subscribe, notify } = createListeners();

function set(value: Balances | undefined): void {
  balances = value;
  notify();
}

/** Reads the balances again. Keeps the known ones when the node does not answer. */
export async function refreshBalances(): Promise<void> {
  const address = owner;
  if (address === undefined) return;
  const number = (reading += 1);
  try {
    const { readBalances } = await loaded(() => import('./read-balances.js'));
    const read = await readBalances(config, address, shown);
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

/** Balances of the connected wallet. Undefined until they are known. @param mint a token to sell */
export function useBalances(address: string | undefined, mint?: string): Balances | undefined {
  const current = useConfig();
  useEffect(() => {
    config = current;
    if (owner !== address) {
      owner = address;
      set(undefined);
    }
    if (mint !== undefined) shown = mint;
    if (address === undefined) return undefined;
    void refreshBalances();
    if (showing === 0) begin();
    showing += 1;
    return () => {
      showing -= 1;
      if (mint !== undefined && shown === mint) shown = undefined;
      if (showing === 0) end();
    };
  }, [address, current, mint]);
  const known = useSyncExternalStore(subscribe, () => balances);
  if (address === undefined || known === undefined) return undefined;
  return mint === undefined || known.mint === mint ? known : undefined;
}
