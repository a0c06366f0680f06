// Curves that wait for graduation, by confirmed records.
import { CurveStatus } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { statement, type Executor } from '../db/database.js';
import { Tasks } from '../db/retries/tasks.js';

export interface WaitingToken {
  readonly mint: string;
  /** Whether the last tokens must be bought first. */
  readonly hasDust: boolean;
}

const LIMIT = 100;
export const graduations = new Tasks('graduation');

/** Curves that are sold out, or almost, and are due. The longest waiting come first. Forgets the tasks of all others. */
export async function dueTokens(db: Executor, now: number): Promise<WaitingToken[]> {
  await db.execute(
    sql`delete from tasks where kind = ${graduations.kind}
          and not exists (select 1 from curve_states where mint = subject and is_waiting)`,
  );
  const rows = await statement<{ mint: string; status: number }>(db)`
    select mint, status from curve_states
    where is_waiting and not exists (
      select 1 from tasks where kind = ${graduations.kind} and subject = mint
        and due_at > ${new Date(now).toISOString()}::timestamptz
    )
    order by updated_at limit ${LIMIT}`;
  return rows.map(({ mint, status }) => ({ mint, hasDust: status === CurveStatus.Trading }));
}

/** Curves that are sold out and have no pool yet, the longest waiting first, at most 100. */
export async function soldOutTokens(db: Executor): Promise<string[]> {
  const rows = await statement<{ mint: string }>(db)`
    select mint from curve_states where is_waiting and status = ${CurveStatus.Finalized}
    order by updated_at limit ${LIMIT}`;
  return rows.map(({ mint }) => mint);
}

/** Number of curves that are sold out and not migrated yet. */
export async function countWaiting(db: Executor): Promise<number> {
  const [row] = await statement<{ waiting: string }>(db)`
    select count(*)::text as waiting from curve_states where is_waiting and status = ${CurveStatus.Finalized}`;
  return Number(row?.waiting ?? 0);
}
