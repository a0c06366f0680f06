import { statement, type Database, type Queries } from '#app/db/database.js';
import { authorityTransactions, settlements, settlementSeeds } from '#app/db/schema/index.js';
import type { TransactionState } from '#app/sending/history.js';
import { subjectOf } from '#app/graduation/settlement/repository.js';

export interface OpenSettlement {
  /** Lamports. */
  readonly value?: number;
  readonly state?: 'sampling' | 'planned';
  /** Failed attempts, and when the next one is due, in Unix milliseconds. */
  readonly attempts?: number;
  readonly dueAt?: number;
  readonly periodMs?: number;
  readonly samples?: number;
  /** Its secret seed; null without one. */
  readonly seed?: string | null;
  /** Any other columns, which come before the fields above: also those of a settlement that is no longer open. */
  readonly columns?: Partial<typeof settlements.$inferInsert>;
}

const SEED = '00'.repeat(32);

/**
 * Inserts an open settlement without parts, whose period begins at a time, in Unix milliseconds.
 *
 * @returns its id
 */
export async function insertOpenSettlement(
  { queries }: Database,
  mint: string,
  startedAt: number,
  given: OpenSettlement = {},
): Promise<number> {
  const { value = 1, state = 'planned', attempts = 0, dueAt = 0, periodMs = 60_000, samples = 4 } = given;
  const { seed = SEED, columns } = given;
  const [made] = await queries
    .insert(settlements)
    .values({
      ...{ mint, state, creator: 'creator', value: BigInt(value), periodMs, samples },
      startedAt: new Date(startedAt),
      ...columns,
    })
    .returning({ id: settlements.id });
  const { id } = made!;
  if (seed !== null) await queries.insert(settlementSeeds).values({ settlementId: id, seed });
  if (attempts === 0 && dueAt === 0) return id;
  await statement(queries)`insert into tasks (kind, subject, attempts, due_at)
    values ('settlement', ${mint}, ${attempts}, ${new Date(dueAt).toISOString()}::timestamptz)`;
  return id;
}

export async function insertTransaction(
  queries: Queries,
  id: number,
  signature: string,
  state: TransactionState,
): Promise<void> {
  await queries.insert(authorityTransactions).values({
    ...{ signature, state, subject: subjectOf(id), transaction: '', lastValidBlockHeight: 150 },
  });
}

/** Lamports and base units of the token. */
interface Amounts {
  readonly sol: bigint;
  readonly token: bigint;
}

/**
 * Inserts a settlement that was read from the chain after a restore, and whose holders are not all credited yet.
 *
 * @param paid what the settlement paid to all holders
 * @param left the part that is still to be credited
 * @returns its id
 */
export async function insertRecoveredSettlement(
  queries: Queries,
  mint: string,
  paid: Amounts,
  left: Amounts,
): Promise<number> {
  const id = 1_000;
  await statement(queries)`
    insert into settlements (id, mint, creator, state, signature, sol, sol_holders, token, token_holders)
    values (${id}, ${mint}, 'creator', 'done', 'signature', ${paid.sol}, ${paid.sol}, ${paid.token}, ${paid.token})`;
  await statement(queries)`
    insert into recovered_settlements (settlement_id, mint, slot, sol, token, sol_left, token_left)
    values (${id}, ${mint}, 1, ${paid.sol}, ${paid.token}, ${left.sol}, ${left.token})`;
  return id;
}
