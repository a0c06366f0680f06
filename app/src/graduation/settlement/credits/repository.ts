// Credits of a settlement. They are divided among wallets when it is planned.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../../db/database.js';
import { settlementCredits, settlementHolders } from '../../../db/schema/index.js';

/**
 * Divides the holders' parts in proportion to their weights by largest remainder, ties to the smaller address. Gives the
 * same result as `divideByLargestRemainder` with the wallets in order, but runs in the database. Wallets with a credit of 0
 * are omitted.
 */
export async function divideAmongHolders(
  tx: Transaction,
  id: number,
  parts: { readonly sol: bigint; readonly token: bigint },
): Promise<void> {
  await tx.execute(sql`
    insert into ${settlementCredits} (settlement_id, wallet, balance, sol, token)
    select ${id}::bigint, wallet, balance, sol, token from (
      select wallet, balance,
        sol + case when row_number() over (order by sol_rest desc, wallet) <= ${parts.sol}::numeric - sum(sol) over ()
          then 1 else 0 end as sol,
        token + case when row_number() over (order by token_rest desc, wallet) <= ${parts.token}::numeric - sum(token) over ()
          then 1 else 0 end as token
      from (
        select wallet, balance,
          div(${parts.sol}::numeric * balance, held) as sol, mod(${parts.sol}::numeric * balance, held) as sol_rest,
          div(${parts.token}::numeric * balance, held) as token, mod(${parts.token}::numeric * balance, held) as token_rest
        from (
          select wallet, balance, sum(balance) over () as held from ${settlementHolders} where settlement_id = ${id}
        ) holders
      ) exact
    ) rounded where sol > 0 or token > 0
  `);
}

export async function addCredit(
  tx: Transaction,
  settlementId: number,
  wallet: string,
  { sol: lamports, token }: { readonly sol: bigint; readonly token: bigint },
): Promise<void> {
  if (lamports === 0n && token === 0n) return;
  await tx
    .insert(settlementCredits)
    .values({ settlementId, wallet, balance: 0n, sol: lamports, token })
    .onConflictDoUpdate({
      target: [settlementCredits.settlementId, settlementCredits.wallet],
      set: {
        sol: sql`${settlementCredits.sol} + excluded.sol`,
        token: sql`${settlementCredits.token} + excluded.token`,
      },
    });
}
