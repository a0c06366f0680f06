// Curves that wait for graduation, by confirmed records.
import { CurveStatus, GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { Tasks } from '../tasks/tasks.js';
import { DUST_TOKENS } from './dust.js';

/** A waiting curve. */
export interface WaitingToken {
  readonly mint: string;
  /** Whether the last tokens must be bought first. */
  readonly hasDust: boolean;
}

const LIMIT = 100;
/** Literal text instead of a parameter, so that PostgreSQL uses the partial index. */
const literal = (value: bigint | number) => sql.raw(String(value));

const WAITS = sql`(status = ${literal(CurveStatus.Finalized)}
  or status = ${literal(CurveStatus.Trading)} and virtual_token <= ${literal(GRADUATION_VIRTUAL_TOKEN + DUST_TOKENS)})`;

export const graduations = new Tasks('graduation');

/** Curves that are sold out, or almost, and are due. The longest waiting come first. Forgets the tasks of all others. */
export async function dueTokens(db: Executor, now: number): Promise<WaitingToken[]> {
  await db.execute(
    sql`delete from tasks where kind = ${graduations.kind}
          and not exists (select 1 from curve_states where mint = subject and ${WAITS})`,
  );
  const rows = await rowsOf<{ mint: string; status: number }>(
    db,
    sql`select mint, status from curve_states
        where ${WAITS} and not exists (
          select 1 from tasks where kind = ${graduations.kind} and subject = mint
            and due_at > ${new Date(now).toISOString()}::timestamptz
        )
        order by updated_at limit ${LIMIT}`,
  );
  return rows.map(({ mint, status }) => ({ mint, hasDust: status === CurveStatus.Trading }));
}

/** Number of curves that are sold out and not migrated yet. */
export async function countWaiting(db: Executor): Promise<number> {
  const [row] = await rowsOf<{ waiting: string }>(
    db,
    sql`select count(*)::text as waiting from curve_states where status = ${CurveStatus.Finalized}`,
  );
  return Number(row?.waiting ?? 0);
}
