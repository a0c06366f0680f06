// Credits to wallets, from settlements or referrals.
import type { Transaction } from '../db/database.js';
import type { SourceKind, TokenAsset, WalletAsset } from './accounts.js';
import { post, postAll, type Entry } from './post.js';

export interface Credit {
  readonly wallet: string;
  /** Base units. Credits of 0 are omitted. */
  readonly amount: bigint;
}

export interface Credits extends TokenAsset {
  readonly key: string;
  readonly credits: readonly Credit[];
}

export type KeyedCredit = WalletAsset & Credit & { readonly key: string };

/**
 * Credits many wallets from one source with one key. For a hundred thousand wallets, call it in batches of some thousand,
 * each with its own key.
 *
 * @returns false when the key is booked already
 */
export function credit(
  tx: Transaction,
  from: SourceKind,
  { key, credits, ...of }: Credits,
): Promise<boolean> {
  return post(tx, { key, entries: entriesOf(from, of, credits) });
}

/** Credits many wallets at once, each with its own key. Keys that are booked already change nothing. */
export async function creditEach(
  tx: Transaction,
  from: SourceKind,
  credits: readonly KeyedCredit[],
): Promise<void> {
  if (credits.length === 0) return;
  await postAll(
    tx,
    credits.map(({ key, mint, asset, ...one }) => ({
      key,
      entries: entriesOf(from, { mint, asset }, [one]),
    })),
  );
}

/** Entries from the source into each wallet's claimable account. */
function entriesOf(origin: SourceKind, of: TokenAsset, credits: readonly Credit[]): Entry[] {
  const total = credits.reduce((sum, { amount }) => sum + amount, 0n);
  return [
    ...credits.map(({ wallet, amount }) => ({
      ...of,
      kind: 'claimable' as const,
      origin,
      owner: wallet,
      amount,
    })),
    { ...of, kind: origin, origin, owner: null, amount: -total },
  ];
}
