// Reads open settlements for the settler.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import type { Period } from './moments.js';

/** An open settlement. */
export interface OpenPeriod extends Period {
  readonly id: number;
  readonly mint: string;
  readonly state: 'sampling' | 'planned' | 'paid';
  /** Value of the storages in lamports at the beginning of the period. */
  readonly value: bigint;
  /** Indexes of the samples taken so far. */
  readonly taken: ReadonlySet<number>;
  /** Slot of its newest balances. Balances of an earlier slot are refused. */
  readonly lastSlot: number;
}

/** All open settlements with their secret seeds. For the settler only. */
export async function openPeriods(db: Executor): Promise<OpenPeriod[]> {
  const rows = await rowsOf<{
    id: string;
    mint: string;
    state: OpenPeriod['state'];
    seed: string | null;
    started_at: string;
    period_ms: string;
    samples: number;
    value: string;
    taken: string | null;
    last_slot: string;
  }>(
    db,
    sql`
      select s.id::text as id, s.mint, s.state, seeds.seed, s.period_ms::text as period_ms, s.samples,
        (extract(epoch from coalesce(s.started_at, s.created_at)) * 1000)::text as started_at, s.value::text as value,
        greatest(coalesce(s.started_slot, 0), coalesce(taken.slot, 0))::text as last_slot, taken.indexes as taken
      from settlements s left join settlement_seeds seeds on seeds.settlement_id = s.id
      left join lateral (
        select string_agg(index::text, ' ') as indexes, max(slot) as slot from settlement_samples
        where settlement_id = s.id and slot is not null
      ) taken on true
      where s.state in ('sampling', 'planned', 'paid') order by s.id
    `,
  );
  return rows.map(({ id, mint, state, seed, started_at, period_ms, samples, value, taken, last_slot }) => ({
    id: Number(id),
    mint,
    state,
    seed: seed ?? '',
    startedAt: Math.round(Number(started_at)),
    periodMs: Number(period_ms),
    samples,
    value: BigInt(value),
    taken: new Set((taken ?? '').split(' ').filter(Boolean).map(Number)),
    lastSlot: Number(last_slot),
  }));
}
