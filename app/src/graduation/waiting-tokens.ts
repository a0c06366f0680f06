// Curves that wait for graduation, by confirmed records.
import { CurveStatus, GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
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

/** Curves that are sold out, or almost. The longest waiting come first. */
export async function waitingTokens(db: Executor): Promise<WaitingToken[]> {
  const rows = await rowsOf<{ mint: string; status: number }>(
    db,
    sql`select mint, status from curve_states
        where status = ${literal(CurveStatus.Finalized)}
          or status = ${literal(CurveStatus.Trading)} and virtual_token <= ${literal(GRADUATION_VIRTUAL_TOKEN + DUST_TOKENS)}
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
