// Credits of a settlement: divided among wallets when it is planned, booked in the ledger when it is paid.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { settlementCredits, settlementHolders } from '../db/schema/index.js';
import type { Asset } from '../ledger/accounts.js';
import { credit, type Credit } from '../ledger/credit.js';

/** Credits booked in one statement. Small, because concurrent reads and claims wait for the processor while it runs. */
const CREDIT_BATCH = 100;
/** The first batches are booked without a pause between them. */
const UNPACED_BATCHES = 50;
const LONGEST_PAUSE_MS = 200;

/**
 * Divides the holders' parts in proportion to their weights by largest remainder, ties to the smaller address. Gives the same
 * result as `divideByLargestRemainder` with the wallets in order, but runs in the database. Wallets that get nothing are left out.
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

/** Adds an amount to the credit of a wallet. */
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

/** Books all credits of a settlement in the ledger, in batches. */
export async function bookCredits(tx: Transaction, id: number, mint: string): Promise<void> {
  let after = '';
  for (let batch = 0; ; batch += 1) {
    const began = performance.now();
    const credits = await creditsAfter(tx, id, after);
    for (const asset of ['SOL', 'TOKEN'] as const) {
      await book(tx, `settlement:${id}:${asset}:${batch}`, mint, asset, credits);
    }
    after = credits.at(-1)?.wallet ?? '';
    if (credits.length < CREDIT_BATCH) return;
    // A very large settlement uses the database only half of the time, so that reads and claims stay fast.
    if (batch >= UNPACED_BATCHES) await sleep(Math.min(performance.now() - began, LONGEST_PAUSE_MS));
  }
}

interface SettlementCredit {
  readonly wallet: string;
  readonly sol: bigint;
  readonly token: bigint;
}

function creditsAfter(tx: Transaction, id: number, wallet: string): Promise<SettlementCredit[]> {
  return tx
    .select({ wallet: settlementCredits.wallet, sol: settlementCredits.sol, token: settlementCredits.token })
    .from(settlementCredits)
    .where(and(eq(settlementCredits.settlementId, id), sql`${settlementCredits.wallet} > ${wallet}`))
    .orderBy(settlementCredits.wallet)
    .limit(CREDIT_BATCH);
}

async function book(
  tx: Transaction,
  key: string,
  mint: string,
  asset: Asset,
  credits: readonly SettlementCredit[],
): Promise<void> {
  const received: Credit[] = credits
    .map(({ wallet, sol, token }) => ({ wallet, amount: asset === 'SOL' ? sol : token }))
    .filter(({ amount }) => amount > 0n);
  if (received.length > 0) await credit(tx, 'settlement', { key, mint, asset, credits: received });
}
