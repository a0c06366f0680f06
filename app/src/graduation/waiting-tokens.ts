// Curves that wait for their graduation, by confirmed records.
import { CurveStatus, GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { DUST_TOKENS } from './dust.js';

/** What a curve waits for. */
export interface WaitingToken {
  readonly mint: string;
  /** Whether a rest of it must be bought first. */
  readonly hasDust: boolean;
}

const LIMIT = 100;
/** Not a parameter: the partial index of these curves is found by its condition. */
const literal = (value: bigint | number) => sql.raw(String(value));

/** Curves that are sold out, or all but. Those that wait longest come first. */
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

/** How many curves are sold out and not migrated yet. */
export async function countWaiting(db: Executor): Promise<number> {
  const [row] = await rowsOf<{ waiting: string }>(
    db,
    sql`select count(*)::text as waiting from curve_states where status = ${CurveStatus.Finalized}`,
  );
  return Number(row?.waiting ?? 0);
}
