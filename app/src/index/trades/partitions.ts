// Finds ids without a partition: an operator dropped or detached it by hand. The service adds partitions only for ids that nobody had.
import type { Context } from '../../context.js';
import { statement, type Executor } from '../../db/database.js';
import { partitionsEnd } from './functions.js';
import { measure } from '../../base/metrics.js';

/** Ids per partition, as in `trade_partition_add`. */
const SIZE = 10_000_000n;

export async function missingPartitions(db: Executor) {
  const rows = await statement<{ first: string; end: string; name: string; detached: boolean }>(db)`
    with bounds as (
      select regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM [(]'([0-9]+)'[)] TO [(]'([0-9]+)'[)]$$)::bigint[] as of
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'trade_rows'::regclass
    ), gaps as (
      select lower(gap) as first, upper(gap) as end, 'trade_rows_' || lower(gap) / ${String(SIZE)}::bigint as name
      from unnest(
        int8multirange(int8range(0, greatest((select last_value + 1 from records_id_seq), ${partitionsEnd({})})))
        - coalesce((select range_agg(int8range(of[1], of[2])) from bounds), '{}'::int8multirange)
      ) gap
    )
    select first::text, "end"::text, name, to_regclass(name) is not null as detached from gaps order by gaps.first`;
  return rows.map(({ first, end, name, detached }) => ({
    /** The table that it was, if an operator did not rename it. */
    name,
    /** Whether a table of this name is still there, so that it only has to be attached. */
    isDetached: detached,
    firstId: BigInt(first),
    /** The first id after it. */
    endId: ((BigInt(end) + SIZE - 1n) / SIZE) * SIZE,
  }));
}

/** Measures them, on every instance. */
export function measurePartitions({ database, metrics }: Pick<Context, 'database' | 'metrics'>): void {
  measure(
    metrics.registry,
    'curvekit_trade_partitions_missing',
    'Ranges of ids whose trades have no partition: an operator dropped or detached it. curvekit doctor says how to repair it',
    async () => (await missingPartitions(database.queries)).length,
  );
}
