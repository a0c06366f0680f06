// One line for each record of the programs and each swap in a pool.
import type { PublicKey } from '@solana/web3.js';
import type { CurveRecord } from '@curvekit/sdk';
import type { SwapRecord } from '@curvekit/sdk/feed';
import { plain, solText, tokenText } from './output.js';

export const KINDS = ['create', 'trade', 'migrate', 'graduate'] as const;

/** One line of `watch` and `history`. Amounts are lamports and token base units. */
export interface Entry {
  readonly kind: (typeof KINDS)[number];
  readonly mint: PublicKey;
  /** Unix seconds. Null when the node does not report it. */
  readonly timestamp: bigint | null;
  readonly signature: string;
  readonly slot: number;
  /** The other fields of the record. */
  readonly [field: string]: unknown;
}

export function recordEntry({ kind, data, signature, slot }: CurveRecord): Entry {
  const venue = kind === 'trade' ? { venue: 'curve' } : {};
  const side = kind === 'trade' ? { side: data.isBuy ? 'buy' : 'sell' } : {};
  return { kind, ...venue, ...side, ...data, signature, slot };
}

export function swapEntry(
  { mint, trader, isBuy, solAmount, tokenAmount }: SwapRecord['data'],
  { signature, slot, timestamp }: Pick<Entry, 'signature' | 'slot' | 'timestamp'>,
): Entry {
  const trade = { mint, trader: trader.toBase58(), solAmount, tokenAmount };
  return { kind: 'trade', venue: 'pool', side: isBuy ? 'buy' : 'sell', ...trade, timestamp, signature, slot };
}

/** `buy 1,000 tokens for 0.5 SOL by …` */
export function entryText(entry: Entry): string {
  const { kind, side, venue, tokenAmount, solAmount, trader, name, symbol } = entry;
  if (kind === 'create') return `launched ${plain(String(name))} (${plain(String(symbol))})`;
  if (kind === 'migrate') return 'curve migrated';
  if (kind === 'graduate') return 'pool opened';
  const amounts = `${tokenText(tokenAmount as bigint)} for ${solText(solAmount as bigint)}`;
  return `${String(side).padEnd(4)} ${amounts} on the ${String(venue)} by ${String(trader)}`;
}
