// Amounts in dollars, at today's price of SOL. Never for a past amount. The service's price is read again each minute while
// dollars are shown, and an old one is not used.
import { useSyncExternalStore } from 'react';
import { compact, significant } from './english-numbers.js';
import type { Amount } from './format.js';
import { createListeners, every } from './listeners.js';
import { market } from './market/api.js';
import type { MarketConfig } from './market/types.js';
import { clusterNow } from './now.js';
import { storage } from './storage.js';

const KEY = 'curvekit:dollars';
const OLDEST_S = 300;
const READ_MS = 60_000;
const LAMPORTS = 1e9;

type Rated = Pick<MarketConfig, 'solUsd' | 'solUsdAge' | 'clusterTime'>;

interface Rate {
  /** Dollars for a SOL. */
  readonly usd: number;
  /** Unix seconds of the cluster's clock. */
  readonly at: number;
}

let rate: Rate | undefined;
const { subscribe, notify } = createListeners(every(READ_MS, () => void read()));

const isOn = () => storage.getItem(KEY) !== 'off';

export function switchDollars(): void {
  if (isOn()) storage.setItem(KEY, 'off');
  else storage.removeItem(KEY);
  notify();
}

/** The price of the service's configuration. */
export function takeRate({ solUsd, solUsdAge, clusterTime }: Rated): void {
  const usd = Number(solUsd);
  rate = usd > 0 && solUsdAge !== null ? { usd, at: clusterTime - solUsdAge } : undefined;
  notify();
}

async function read(): Promise<void> {
  try {
    if (!document.hidden) takeRate(await market.config());
  } catch {
    // The price gets older, and is not used for long.
  }
  notify();
}

/** Undefined without a price that is young enough. */
export const useRate = () =>
  useSyncExternalStore(subscribe, () =>
    rate !== undefined && clusterNow() - rate.at <= OLDEST_S ? rate : undefined,
  );
export const useDollarsOn = () => useSyncExternalStore(subscribe, isOn);

/** Three digits from a thousand on, else cents. */
function inDollars(value: number): string {
  if (value < 0.01) return significant(value, 2);
  return value < 1_000 ? value.toFixed(2) : compact(Number(value.toPrecision(3)));
}

interface DollarsProps {
  readonly lamports: Amount;
  readonly prefix?: string;
  readonly suffix?: string;
}

/** What an amount is worth now: `"$5.1K"`. Nothing when the price of SOL is unknown or old, or dollars are switched off. */
export function Dollars({ lamports, prefix = '', suffix = '' }: DollarsProps) {
  const price = useRate();
  const on = useDollarsOn();
  if (price === undefined || !on) return null;
  return (
    <span className="dollars muted">
      {prefix}${inDollars((Number(lamports) / LAMPORTS) * price.usd)}
      {suffix}
    </span>
  );
}
