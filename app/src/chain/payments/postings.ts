// How what was found on chain moves the ledger. All postings of reconciling are here.
import { sql } from 'drizzle-orm';
import { rowsOf, type Transaction } from '../../db/database.js';
import { credit, post, type Asset, type Credit } from '../../db/ledger.js';

/** A claim's wallet, token and asset. */
export interface Reward {
  readonly wallet: string;
  readonly mint: string;
  readonly asset: Asset;
}

/** What the wallet can claim, kept as it is until the end of the transaction. */
export async function holdClaimable(tx: Transaction, { wallet, mint, asset }: Reward): Promise<bigint> {
  const [row] = await rowsOf<{ balance: string }>(
    tx,
    sql`select balance::text as balance from ledger_accounts
        where owner = ${wallet} and mint = ${mint} and asset = ${asset} and kind = 'claimable' for no key update`,
  );
  return BigInt(row?.balance ?? 0);
}

/** Books a payment that the tables lacked: out of what the wallet could claim, and the rest out of the settlements' part. */
export function postPaidClaim(
  tx: Transaction,
  signature: string,
  { wallet, mint, asset }: Reward,
  { claimable, rest }: { readonly claimable: bigint; readonly rest: bigint },
): Promise<boolean> {
  return post(tx, {
    key: `recovered:${signature}`,
    entries: [
      { kind: 'claimable', owner: wallet, mint, asset, amount: -claimable },
      { kind: 'settlement', owner: null, mint, asset, amount: -rest },
      { kind: 'claimed', owner: wallet, mint, asset, amount: claimable + rest },
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
