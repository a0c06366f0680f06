// Credits, claims and reserves as rows.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ByOrigin, SourceKind, WalletAsset } from '#app/ledger/accounts.js';
import { column } from '#app/db/arrays.js';
import type { NewClaim } from '#app/claims/repository.js';
import { rowsOf, type Database, type Executor } from '#app/db/database.js';
import { credit } from '#app/ledger/credit.js';

/** Credits a wallet, as a settlement or a referral does. */
export function creditOf(
  database: Database,
  { wallet, mint, asset, amount }: WalletAsset & { readonly amount: bigint },
  origin: SourceKind = 'settlement',
): Promise<boolean> {
  const credits = [{ wallet, amount }];
  return database.transaction((tx) => credit(tx, origin, { key: randomUUID(), mint, asset, credits }));
}

/** A claim whose transaction is signed. It costs the treasury nothing but its amount. */
export function newClaim(of: WalletAsset & Pick<NewClaim, 'amount'> & Partial<NewClaim>): NewClaim {
  return {
    ...{ signature: randomUUID(), referral: 0n, networkFee: 0n, rent: 0n, burn: false, opensAccount: false },
    ...{ transaction: 'AAAA', blockhashSlot: 1, lastValidBlockHeight: 150, ...of },
  };
}

type Keyed = WalletAsset & { readonly key: string };

/** Reserves everything claimable of the given origins under a key. @returns the amounts; 0 if nothing is claimable */
export async function reserveAll(
  tx: Executor,
  { key, wallet, mint, asset }: Keyed,
  origins: readonly SourceKind[] = ['settlement', 'referral'],
): Promise<ByOrigin> {
  const rows = await rowsOf<{ origin: SourceKind; amount: string }>(
    tx,
    sql`select origin, amount::text as amount
        from ledger_reserve(${key}, ${wallet}, ${mint}, ${asset}, ${column(origins, 'text')})`,
  );
  const of = (origin: SourceKind) => BigInt(rows.find((row) => row.origin === origin)?.amount ?? 0);
  return { settlement: of('settlement'), referral: of('referral') };
}
