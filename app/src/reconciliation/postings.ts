// How what was found on chain moves the ledger. All postings of reconciling are here.
import { sql } from 'drizzle-orm';
import { rowsOf, type Transaction } from '../db/database.js';
import { credit, post, type Asset, type ByOrigin, type Credit, type SourceKind } from '../ledger/ledger.js';

/** A claim's wallet, token and asset. */
export interface Reward {
  readonly wallet: string;
  readonly mint: string;
  readonly asset: Asset;
}

/** What the wallet can claim, kept as it is until the end of the transaction. */
export async function holdClaimable(tx: Transaction, { wallet, mint, asset }: Reward): Promise<ByOrigin> {
  const rows = await rowsOf<{ origin: SourceKind; balance: string }>(
    tx,
    sql`select origin, balance::text as balance from ledger_accounts
        where owner = ${wallet} and mint = ${mint} and asset = ${asset} and kind = 'claimable'
        order by id for no key update`,
  );
  const of = (origin: SourceKind) => BigInt(rows.find((row) => row.origin === origin)?.balance ?? 0);
  return { settlement: of('settlement'), referral: of('referral') };
}

/** Books a payment that the tables lacked: out of what the wallet could claim, and the rest out of the settlements' part. */
export function postPaidClaim(
  tx: Transaction,
  signature: string,
  { wallet, mint, asset }: Reward,
  { claimable, rest }: { readonly claimable: ByOrigin; readonly rest: bigint },
): Promise<boolean> {
  return post(tx, {
    key: `recovered:${signature}`,
    entries: [
      ...(['settlement', 'referral'] as const).flatMap((origin) => [
        { kind: 'claimable' as const, owner: wallet, mint, asset, origin, amount: -claimable[origin] },
        { kind: 'claimed' as const, owner: wallet, mint, asset, origin, amount: claimable[origin] },
      ]),
      { kind: 'settlement', owner: null, mint, asset, origin: 'settlement', amount: -rest },
      { kind: 'claimed', owner: wallet, mint, asset, origin: 'settlement', amount: rest },
    ],
  });
}

/** Credits parts of a settlement that was found on chain. @param part names the posting among those of the settlement */
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
