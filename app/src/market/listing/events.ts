// The events of a range of blocks: creations and trades of curves, migrations, which empty them, and with `LISTING_POOLS` trades in pools.
import { formatPrice, formatSol, formatTokens, TOKEN_SUPPLY } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { HttpProblem, invalid } from '../../http/problem.js';
import { detachedTo, lastSlotColumn, tradedBlock, type Block } from './blocks.js';

/** What an answer may span and contain. A single block is always answered. */
export const MOST_BLOCKS = 10_000;
export const MOST_EVENTS = 5_000;

type EventRow = Readonly<
  Record<
    'signature' | 'slot' | 'at' | 'maker' | 'pair' | 'sol' | 'token' | 'virtual_sol' | 'virtual_token',
    string
  > &
    Record<'real_sol' | 'real_token', string>
> & {
  /** Null in the only row of a range without events. */
  readonly kind: 'create' | 'trade' | 'migrate' | null;
  readonly is_buy: boolean;
  readonly scanned: string | null;
};

export interface Range {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Every event of these blocks in the order of the chain. Its answer never changes.
 *
 * @throws HttpProblem 400 for a range that is too wide, or ends after the last finalized block; 404 for one that is no longer stored
 */
export async function eventsOf({ database, config }: Pick<Context, 'database' | 'config'>, range: Range) {
  const { listsPools } = config;
  const { fromBlock, toBlock } = range;
  if (toBlock < fromBlock) throw refusal(`is ${toBlock}; it must not be before fromBlock, ${fromBlock}`);
  if (toBlock - fromBlock > MOST_BLOCKS)
    throw refusal(`is ${toBlock - fromBlock} blocks after fromBlock; ask for at most ${MOST_BLOCKS}`);
  // A standby can be a moment behind the block that another instance has named.
  const found =
    (await database.read((db) => read(db, range, listsPools))) ??
    (await read(database.queries, range, listsPools));
  if (found === undefined) throw refusal(`is ${toBlock}; ask for no block after that of latest-block`);
  if (found.length > MOST_EVENTS && toBlock > fromBlock)
    throw refusal(
      `is too far from fromBlock: there are more than ${MOST_EVENTS} events; ask for fewer blocks`,
    );
  let [block, txnId, txnIndex] = [-1, '', 0];
  let eventIndex = 0;
  return found.map((row) => {
    const event = eventOf(row);
    const isSame = event.block.blockNumber === block;
    txnIndex = !isSame ? 0 : event.txnId === txnId ? txnIndex : txnIndex + 1;
    eventIndex = isSame ? eventIndex + 1 : 0;
    [block, txnId] = [event.block.blockNumber, event.txnId];
    return { ...event, txnIndex, eventIndex };
  });
}

const refusal = (message: string) => invalid([{ field: 'toBlock', message }]);

/** Undefined when not everything up to the end of the range is finalized. One statement, so that a reindex is seen whole. */
async function read(db: Executor, { fromBlock, toBlock }: Range, listsPools: boolean) {
  // More than fit in a block.
  const most = fromBlock === toBlock ? 10 * MOST_EVENTS : MOST_EVENTS + 1;
  const idsOf = (table: string, condition: string) =>
    sql`select x.id from ${sql.raw(table)} x where x.slot between ${fromBlock}::bigint and ${toBlock}::bigint
      and ${sql.raw(condition)} order by x.slot, x.id limit ${most}`;
  const pools = sql`union all
    select t.id, 'trade', t.signature, t.slot::text, t.timestamp::text, t.trader, g.pool, t.is_buy, t.sol_amount::text,
      t.token_amount::text, t.virtual_sol::text, t.virtual_token::text, t.virtual_sol::text, t.virtual_token::text, g.pool
    from (${idsOf('trade_rows', 'x.in_pool')}) found
      cross join lateral (select * from trades where trades.id = found.id limit 1) t
      cross join lateral (select * from graduations where graduations.mint = t.mint limit 1) g
    union all
    select o.id, 'create', o.signature, o.slot::text, g.timestamp::text, k.creator, g.pool, false, '0', '0', '0', '0',
      g.pool_sol::text, g.pool_token::text, g.pool
    from (${idsOf('other_records', "x.kind = 'graduate'")}) found
      cross join lateral (select * from other_records where other_records.id = found.id limit 1) o
      cross join lateral (select * from graduations where graduations.record_id = o.id limit 1) g
      cross join lateral (select * from tokens where tokens.mint = o.mint limit 1) k`;
  const last = lastSlotColumn(listsPools);
  const rows = await preparedRows<EventRow>(
    db,
    // A reindex may give the trades of several pools other ids, but those of one pool in its order.
    sql`select ${last}::text as scanned, e.* from indexer_state s left join lateral (
          select * from (select t.id, 'trade' as kind, t.signature, t.slot::text as slot, t.timestamp::text as at, t.trader as maker, k.curve as pair,
            t.is_buy, t.sol_amount::text as sol, t.token_amount::text as token, t.virtual_sol::text as virtual_sol,
            t.virtual_token::text as virtual_token, (t.virtual_sol - k.initial_virtual_sol)::text as real_sol,
            (${SUPPLY} - k.initial_virtual_token + t.virtual_token)::text as real_token, '' as pool
          from (${idsOf('trade_rows', 'not x.in_pool')}) found
            cross join lateral (select * from trades where trades.id = found.id limit 1) t
            cross join lateral (select * from tokens where tokens.mint = t.mint limit 1) k
          union all
          select o.id, o.kind, o.signature, o.slot::text, coalesce(c.timestamp, k.created_at)::text, coalesce(c.fee_account, k.creator),
            k.curve, false, coalesce(c.sol_amount, 0)::text, coalesce(c.token_amount, 0)::text,
            '0', '0', '0', (case when o.kind = 'create' then ${SUPPLY} else 0 end)::text, ''
          from (${idsOf('other_records', "x.kind in ('create', 'migrate')")}) found
            cross join lateral (select * from other_records where other_records.id = found.id limit 1) o
            cross join lateral (select * from tokens where tokens.mint = o.mint limit 1) k
            left join lateral (select * from curve_migrations where record_id = o.id limit 1) c on true
          ${listsPools ? pools : sql``}
          ) u order by u.slot::bigint, u.pool, u.id limit ${most}
        ) e on ${last} >= ${toBlock}::bigint`,
  );
  const scanned = rows[0]?.scanned ?? null;
  if (scanned === null || Number(scanned) < toBlock) return undefined;
  await requireStored(db, fromBlock);
  return rows.filter(({ kind }) => kind !== null);
}

/** @throws HttpProblem 404 when trades of this block, or of a later one, may be in a detached partition */
async function requireStored(db: Executor, fromBlock: number): Promise<void> {
  const detached = await detachedTo(db);
  if (detached === 0n) return;
  const before = await tradedBlock(db, fromBlock - 1);
  if (before === undefined || before.id < detached)
    throw new HttpProblem(
      404,
      'EVENTS_ARCHIVED',
      'The operator has taken the events of these blocks out of the index',
    );
}

function eventOf({ kind, is_buy: isBuy, signature, slot, at, maker, pair, ...amounts }: EventRow) {
  const block: Block = { blockNumber: Number(slot), blockTimestamp: Number(at) };
  const [sol, token] = [solOf(amounts.sol), tokensOf(amounts.token)];
  const reserves = { asset0: tokensOf(amounts.real_token), asset1: solOf(amounts.real_sol) };
  const common = { block, txnId: signature, maker, pairId: pair, reserves };
  if (kind === 'create') return { ...common, eventType: 'creation' as const };
  if (kind === 'migrate') return { ...common, eventType: 'exit' as const, amount0: token, amount1: sol };
  const price = { lamports: BigInt(amounts.virtual_sol), tokenUnits: BigInt(amounts.virtual_token) };
  return {
    ...common,
    eventType: 'swap' as const,
    ...(isBuy ? { asset1In: sol, asset0Out: token } : { asset0In: token, asset1Out: sol }),
    priceNative: formatPrice(price, PRICE_DIGITS),
  };
}

/** So many that no reserves have the price 0, at which an aggregator stops. */
const PRICE_DIGITS = 24;
const SUPPLY = sql.raw(String(TOKEN_SUPPLY));

/** DEXTools demands a fraction. */
const withFraction = (text: string) => (text.includes('.') ? text : `${text}.0`);
export const tokensOf = (units: string): string => withFraction(formatTokens(BigInt(units)));
export const solOf = (lamports: string): string => withFraction(formatSol(BigInt(lamports)));
