// Credits and claims as rows.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { SourceKind, WalletAsset } from '#app/ledger/accounts.js';
import type { NewClaim } from '#app/claims/repository.js';
import type { Database } from '#app/db/database.js';
import { credit } from '#app/ledger/credit.js';

/** Credits a wallet, as a settlement or a referral does. */
export function creditOf(
  database: Database,
  { wallet, mint, asset, amount }: WalletAsset & { readonly amount: bigint },
  origin: SourceKind = 'settlement',
): Promise<boolean> {
  const credits = [{ wallet, amount }];
  return database.transaction(async (tx) => {
    if (origin === 'volume')
      await tx.execute(sql`insert into volume_rewards as v (mint, wallet, accrued, credited)
        values (${mint}, ${wallet}, ${String(amount)}::numeric, ${String(amount)}::numeric) on conflict (mint, wallet)
        do update set accrued = v.accrued + excluded.accrued, credited = v.credited + excluded.credited`);
    return credit(tx, origin, { key: randomUUID(), mint, asset, credits });
  });
}

/** A claim whose transaction is signed. It costs the treasury nothing but its amount. */
export function newClaim(of: WalletAsset & Pick<NewClaim, 'amount'> & Partial<NewClaim>): NewClaim {
  return {
    ...{
      signature: randomUUID(),
      referral: 0n,
      volume: 0n,
      networkFee: 0n,
      rent: 0n,
      burn: false,
      opensAccount: false,
    },
    ...{ transaction: 'AAAA', blockhashSlot: 1, lastValidBlockHeight: 150, ...of },
  };
}
