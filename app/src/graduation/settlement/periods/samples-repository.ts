// Samples of a token's holders in the database. A sample counts only when it is complete.
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { column } from '../../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../../db/database.js';
import {
  settlementHolders,
  settlements,
  settlementSampleChunks,
  settlementSamples,
} from '../../../db/schema/index.js';
import type { Holding } from './holders.js';

export interface Sample {
  readonly index: number;
  /** Finalized slot of its balances. */
  readonly slot: number;
  readonly takenAt: Date;
}

/**
 * Begins a sample. Removes the rows of an interrupted one.
 *
 * @returns its id; undefined when the period is over, or the sample is taken already
 */
export async function beginSample(
  tx: Transaction,
  settlementId: number,
  index: number,
  takenAt: Date,
): Promise<number | undefined> {
  if (!(await holdSampling(tx, settlementId))) return undefined;
  const [taken] = await tx
    .select({ id: settlementSamples.id })
    .from(settlementSamples)
    .where(
      and(
        eq(settlementSamples.settlementId, settlementId),
        eq(settlementSamples.index, index),
        isNotNull(settlementSamples.slot),
      ),
    );
  if (taken !== undefined) return undefined;
  await dropUnfinished(tx, settlementId);
  const [begun] = await tx
    .insert(settlementSamples)
    .values({ settlementId, index, takenAt })
    .returning({ id: settlementSamples.id });
  return begun?.id;
}

/** Adds balances of token accounts. @returns false when another process has taken over the sample; then nothing is added */
export async function addToSample(
  tx: Transaction,
  sampleId: number,
  chunk: number,
  holdings: readonly Holding[],
): Promise<boolean> {
  const wallets = column(
    holdings.map(({ owner }) => owner),
    'text',
  );
  const balances = column(
    holdings.map(({ balance }) => balance),
    'numeric',
  );
  const added = await statement<{ chunk: number }>(tx)`
    with reading as materialized (
      select id from ${settlementSamples} where id = ${sampleId} and slot is null for share
    )
    insert into ${settlementSampleChunks} (sample_id, chunk, wallets, balances)
    select id, ${chunk}::integer, ${wallets}, ${balances} from reading returning chunk`;
  return added.length === 1;
}

/** Completes a sample. @returns false when another process has taken it over */
export async function finishSample(
  tx: Transaction,
  { id, settlementId, slot }: { readonly id: number; readonly settlementId: number; readonly slot: number },
): Promise<boolean> {
  if (!(await holdSampling(tx, settlementId))) return false;
  const finished = await tx
    .update(settlementSamples)
    .set({ slot })
    .where(and(eq(settlementSamples.id, id), isNull(settlementSamples.slot)))
    .returning({ id: settlementSamples.id });
  return finished.length === 1;
}

/** Complete samples, in order. */
export async function samplesOf(
  db: Executor,
  settlementIds: readonly number[],
): Promise<Map<number, Sample[]>> {
  const samples = new Map<number, Sample[]>();
  if (settlementIds.length === 0) return samples;
  const rows = await db
    .select()
    .from(settlementSamples)
    .where(
      and(inArray(settlementSamples.settlementId, [...settlementIds]), isNotNull(settlementSamples.slot)),
    )
    .orderBy(settlementSamples.settlementId, settlementSamples.index);
  for (const { settlementId, index, slot, takenAt } of rows) {
    const list = samples.get(settlementId) ?? [];
    list.push({ index, slot: slot ?? 0, takenAt });
    samples.set(settlementId, list);
  }
  return samples;
}

/** Number of wallets in any sample, and their balances summed over all samples. */
export interface Weights {
  readonly holders: number;
  readonly held: bigint;
  /** Slot of the last sample. */
  readonly slot: number;
}

/** Sums the samples of a settlement to the weight of each wallet. @param excluded wallets that do not count as holders */
export async function sumSamples(
  tx: Transaction,
  settlementId: number,
  excluded: readonly string[],
): Promise<Weights> {
  await tx.delete(settlementHolders).where(eq(settlementHolders.settlementId, settlementId));
  const [row] = await statement<{ holders: string; held: string; slot: string }>(tx)`
    with added as (
      insert into ${settlementHolders} (settlement_id, wallet, balance)
      select ${settlementId}::bigint, wallet, sum(balance) from ${settlementSamples} s
        join ${settlementSampleChunks} c on c.sample_id = s.id
        cross join unnest(c.wallets, c.balances) as held(wallet, balance)
      where s.settlement_id = ${settlementId} and s.slot is not null
        and not (wallet = any(${column(excluded, 'text')}))
      group by wallet
      returning balance
    )
    select count(*)::text as holders, coalesce(sum(balance), 0)::text as held,
      (select coalesce(max(slot), 0) from ${settlementSamples} where settlement_id = ${settlementId})::text as slot
    from added`;
  return { holders: Number(row?.holders), held: BigInt(row?.held ?? 0), slot: Number(row?.slot) };
}

/** Deletes the balances of a settlement's samples. Their times and slots stay. */
export async function dropBalances(tx: Transaction, settlementId: number): Promise<void> {
  await dropUnfinished(tx, settlementId);
  await tx.execute(sql`
    delete from ${settlementSampleChunks} where sample_id in (
      select id from ${settlementSamples} where settlement_id = ${settlementId}
    )
  `);
  await tx.delete(settlementHolders).where(eq(settlementHolders.settlementId, settlementId));
}

async function dropUnfinished(tx: Transaction, settlementId: number): Promise<void> {
  await tx
    .delete(settlementSamples)
    .where(and(eq(settlementSamples.settlementId, settlementId), isNull(settlementSamples.slot)));
}

/** Locks a settlement that is sampling. @returns false when it is not */
async function holdSampling(tx: Transaction, id: number): Promise<boolean> {
  const held = await tx
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.state, 'sampling')))
    .for('no key update');
  return held.length === 1;
}
