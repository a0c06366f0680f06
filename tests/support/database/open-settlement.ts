import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';

export interface OpenSettlement {
  /** Lamports. */
  readonly value?: number;
  readonly state?: 'sampling' | 'planned';
  /** Failed attempts, and when the next one is due, in Unix milliseconds. */
  readonly attempts?: number;
  readonly dueAt?: number;
  readonly periodMs?: number;
  readonly samples?: number;
}

const SEED = '00'.repeat(32);

/** Inserts an open settlement without parts, whose period begins at a time, in Unix milliseconds. */
export async function insertOpenSettlement(
  { queries }: Database,
  mint: string,
  startedAt: number,
  given: OpenSettlement,
): Promise<void> {
  const { value = 1, state = 'planned', attempts = 0, dueAt = 0, periodMs = 60_000, samples = 4 } = given;
  const at = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  await queries.execute(sql`
    with made as (
      insert into settlements (mint, state, creator, value, started_at, period_ms, samples)
      values (${mint}, ${state}, 'creator', ${value}, ${at(startedAt)}, ${periodMs}, ${samples})
      returning id
    )
    insert into settlement_seeds (settlement_id, seed) select id, ${SEED} from made
  `);
  if (attempts === 0 && dueAt === 0) return;
  await queries.execute(sql`
    insert into tasks (kind, subject, attempts, due_at) values ('settlement', ${mint}, ${attempts}, ${at(dueAt)})
  `);
}
