// All ledger postings of reconciliation.
import type { Transaction } from '../db/database.js';
import type { Asset, ByOrigin, WalletAsset } from '../ledger/accounts.js';
import { credit, type Credit } from '../ledger/credit.js';
import { post } from '../ledger/post.js';

/**
 * Books a payment that the tables lacked: from the wallet's claimable amount, and the rest from the settlements' account.
 */
export function postPaidClaim(
  tx: Transaction,
  signature: string,
  { wallet, mint, asset }: WalletAsset,
  { claimable, rest }: { readonly claimable: ByOrigin; readonly rest: bigint },
): Promise<boolean> {
  return post(tx, {
    key: `recovered:${signature}`,
    entries: [
      ...(['settlement', 'referral', 'volume'] as const).flatMap((origin) => [
        { kind: 'claimable' as const, owner: wallet, mint, asset, origin, amount: -claimable[origin] },
        { kind: 'claimed' as const, owner: wallet, mint, asset, origin, amount: claimable[origin] },
      ]),
      { kind: 'settlement', owner: null, mint, asset, origin: 'settlement', amount: -rest },
      { kind: 'claimed', owner: wallet, mint, asset, origin: 'settlement', amount: rest },
    ],
  });
}

/** Credits parts of a settlement that was found on chain. @param part distinguishes the postings of one settlement */
export function postRecovered(
  tx: Transaction,
  signature: string,
  part: string,
  {
    mint,
    asset,
    credits,
  }: { readonly mint: string; readonly asset: Asset; readonly credits: readonly Credit[] },
): Promise<boolean> {
  return credit(tx, 'settlement', { key: `recovered:${signature}:${part}:${asset}`, mint, asset, credits });
}
