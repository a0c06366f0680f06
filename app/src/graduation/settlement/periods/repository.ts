// Reads open settlements for the settler.
import { statement, type Executor } from '../../../db/database.js';
import type { Period } from './moments.js';
import { settling } from './waiting.js';

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
  /** Attempts in a row that were interrupted. */
  readonly attempts: number;
  /** When it is tried again, in milliseconds; 0 when it is due. */
  readonly dueAt: number;
}

/** All open settlements with their secret seeds. For the settler only. */
export async function openPeriods(db: Executor): Promise<OpenPeriod[]> {
  const rows = await statement<{
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
    attempts: number;
    due_at: string;
  }>(db)`
    select s.id::text as id, s.mint, s.state, seeds.seed, s.period_ms::text as period_ms, s.samples,
      (extract(epoch from coalesce(s.started_at, s.created_at)) * 1000)::text as started_at, s.value::text as value,
      greatest(coalesce(s.started_slot, 0), coalesce(taken.slot, 0))::text as last_slot, taken.indexes as taken,
      coalesce(t.attempts, 0) as attempts, coalesce(extract(epoch from t.due_at) * 1000, 0)::text as due_at
    from settlements s left join settlement_seeds seeds on seeds.settlement_id = s.id
    left join tasks t on t.kind = ${settling.kind} and t.subject = s.mint
    left join lateral (
      select string_agg(index::text, ' ') as indexes, max(slot) as slot from settlement_samples
      where settlement_id = s.id and slot is not null
    ) taken on true
    where s.state in ('sampling', 'planned', 'paid') order by s.id`;
  return rows.map(({ id, mint, state, seed, started_at, period_ms, samples, value, taken, ...row }) => ({
    id: Number(id),
    mint,
    state,
    seed: seed ?? '',
    startedAt: Math.round(Number(started_at)),
    periodMs: Number(period_ms),
    samples,
    value: BigInt(value),
    taken: new Set((taken ?? '').split(' ').filter(Boolean).map(Number)),
    lastSlot: Number(row.last_slot),
    attempts: row.attempts,
    dueAt: Number(row.due_at),
  }));
}
