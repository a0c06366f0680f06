// Blocks as aggregators read them: a block is a slot. Times are found by finalized trades on curves, whose ids grow with their slots.
import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import { askNode } from '../../chain/connection.js';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { unavailable } from '../../http/problem.js';

export interface Block {
  readonly blockNumber: number;
  /** Unix seconds. */
  readonly blockTimestamp: number;
}

export interface TradedBlock extends Block {
  readonly id: bigint;
}

/** The newest slot up to which everything is finalized and stored: a column of `indexer_state s`. With pools, also of their trades. */
export const lastSlotColumn = (listsPools: boolean) =>
  listsPools
    ? sql`(select least(s.scanned_slot, m.pools_slot) from market_state m where m.pools_slot is not null)`
    : sql`s.scanned_slot`;

/** That slot. Undefined before the first pass and during a reindex. */
export async function lastSlot(db: Executor, listsPools = false): Promise<number | undefined> {
  const [row] = await preparedRows<{ slot: string | null }>(
    db,
    sql`select ${lastSlotColumn(listsPools)}::text as slot from indexer_state s`,
  );
  return row?.slot === undefined || row.slot === null ? undefined : Number(row.slot);
}

/** The newest block up to a slot that has a trade. */
export async function tradedBlock(db: Executor, slot: number): Promise<TradedBlock | undefined> {
  const [row] = await preparedRows<Record<'id' | 'slot' | 'at', string>>(
    db,
    sql`select t.id::text as id, t.slot::text as slot, t.timestamp::text as at from trade_rows t
        where not t.in_pool and t.slot <= ${slot}::bigint order by t.slot desc, t.id desc limit 1`,
  );
  return row && { id: BigInt(row.id), blockNumber: Number(row.slot), blockTimestamp: Number(row.at) };
}

/** The newest block with a trade at or before a time in Unix seconds: a binary search, because the cluster's clock never goes back. */
export async function tradedBlockAt(
  db: Executor,
  time: number,
  last: number,
): Promise<TradedBlock | undefined> {
  let found: TradedBlock | undefined;
  let [low, high] = [0, last];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const block = await tradedBlock(db, middle);
    if (block !== undefined && block.blockTimestamp > time) high = block.blockNumber - 1;
    else {
      found = block;
      low = middle + 1;
    }
  }
  return found;
}

/** Trades before this id may be missing: an operator has detached their partition. 0 when all are there. */
export async function detachedTo(db: Executor): Promise<bigint> {
  const [row] = await preparedRows<{ end: string }>(
    db,
    sql`select coalesce(max(substring(pg_get_expr(c.relpartbound, c.oid) from ${String.raw`TO \('(\d+)'\)$`})::bigint), 0)::text as end
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'trade_rows'::regclass and c.relname like ${String.raw`%\_left`}`,
  );
  return BigInt(row!.end);
}

type Parts = Pick<Context, 'database' | 'connection' | 'config'>;

/** A finalized block; undefined when it was skipped, or when the node no longer knows it. */
export async function blockAt({ database, connection }: Parts, slot: number): Promise<Block | undefined> {
  const traded = await tradedBlock(database.queries, slot);
  if (traded?.blockNumber === slot) return blockOf(traded);
  const time = await askNode(connection.getBlockTime(slot)).catch(() => null);
  return time === null ? undefined : { blockNumber: slot, blockTimestamp: time };
}

/** The newest block of which every event is stored. If the node does not know its time, the newest one with a trade. @throws HttpProblem 503 */
export async function latestBlock(parts: Parts): Promise<Block> {
  const { queries } = parts.database;
  const last = await lastSlot(queries, parts.config.listsPools);
  const block =
    last === undefined ? undefined : ((await blockAt(parts, last)) ?? (await tradedBlock(queries, last)));
  if (block === undefined) throw unavailable('The index has no finalized block yet; try again later');
  return blockOf(block);
}

/** Only the fields of the contracts. */
export const blockOf = ({ blockNumber, blockTimestamp }: Block): Block => ({ blockNumber, blockTimestamp });
