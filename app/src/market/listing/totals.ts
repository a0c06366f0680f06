// Totals of a day that is over, from the finalized trades on curves. They never change, so an instance sums each day once.
import { sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import { Cache } from '../../base/cached-value.js';
import type { Context } from '../../context.js';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { HttpProblem, invalid, unavailable } from '../../http/problem.js';
import { idOf } from '../../index/trades/trade.js';
import { detachedTo, lastSlot, latestBlock, tradedBlockAt } from './blocks.js';

const DAY_SECONDS = 86_400;
const MOST_DAYS = 2_000;
/** Rows that one statement reads. */
const MOST_TRADES = 20_000;
const MOST_TOKENS = 1_000;

export type Totals = Readonly<Record<'volume' | 'fees' | 'revenue' | 'tvl', string>> &
  Readonly<Record<'trades' | 'tokensLaunched' | 'tokensGraduated', number>>;

export class DayTotals {
  readonly #kept = new Cache<Totals>(Infinity, MOST_DAYS);
  readonly #limit = pLimit(1);

  constructor(private readonly parts: Context) {}

  /** @param start midnight UTC in Unix seconds. @throws HttpProblem 400 for a day that is not over, 404 for one that is no longer stored */
  async of(start: number): Promise<Totals> {
    const { blockTimestamp } = await latestBlock(this.parts);
    if (blockTimestamp < start + DAY_SECONDS)
      throw invalid([
        { field: 'day', message: 'is not over at the newest finalized block; ask for a day before' },
      ]);
    return this.#kept.get(String(start), () => this.#limit(() => this.#sum(start, start + DAY_SECONDS)));
  }

  async #sum(start: number, end: number): Promise<Totals> {
    const { queries } = this.parts.database;
    const last = (await lastSlot(queries)) ?? 0;
    const before = (await tradedBlockAt(queries, start - 1, last))?.id ?? 0n;
    const to = (await tradedBlockAt(queries, end - 1, last))?.id ?? 0n;
    if (before < (await detachedTo(queries)))
      throw new HttpProblem(
        404,
        'EVENTS_ARCHIVED',
        'The operator has taken the trades of this day out of the index',
      );
    const trades = await sumTrades(queries, before, to);
    const [{ count } = { count: 0 }] = await preparedRows<{ count: number }>(
      queries,
      sql`select count(*)::integer as count from tokens where created_at >= ${start}::bigint and created_at < ${end}::bigint`,
    );
    const tvl = await tvlOf(queries, to, end);
    // A reindex began meanwhile, and has removed trades.
    if (((await lastSlot(queries)) ?? 0) < last)
      throw unavailable('The index is being rebuilt; try again later');
    const { volume, fees } = trades;
    return {
      ...{ volume: String(volume), fees: String(fees), revenue: String(fees), tvl: String(tvl) },
      ...{ trades: trades.count, tokensLaunched: count, tokensGraduated: trades.graduated },
    };
  }
}

/** The trades after an id, up to another. */
async function sumTrades(db: Executor, after: bigint, to: bigint) {
  const sum = { volume: 0n, fees: 0n, count: 0, graduated: 0 };
  for (let last = String(after); ;) {
    const [row] = await preparedRows<
      Readonly<Record<'volume' | 'fees', string>> & { last: string | null; count: number; graduated: number }
    >(
      db,
      sql`select max(id)::text as last, count(*) filter (where not in_pool)::integer as count,
            count(*) filter (where graduated)::integer as graduated,
            coalesce(sum(sol_amount) filter (where not in_pool), 0)::text as volume,
            coalesce(sum(fee) filter (where not in_pool), 0)::text as fees
          from (select * from trade_rows where id > ${last}::bigint and id <= ${String(to)}::bigint order by id limit ${MOST_TRADES}) page`,
    );
    if (row === undefined || row.last === null) return sum;
    last = row.last;
    sum.volume += BigInt(row.volume);
    sum.fees += BigInt(row.fees);
    sum.count += row.count;
    sum.graduated += row.graduated;
  }
}

/** Lamports that the curves held at a time: what the last trade up to an id left in each that was not migrated. */
async function tvlOf(db: Executor, to: bigint, end: number): Promise<bigint> {
  let tvl = 0n;
  for (let last = ''; ;) {
    const [row] = await preparedRows<{ last: string | null; sol: string }>(
      db,
      sql`select max(mint) as last, coalesce(sum(virtual_sol - initial_virtual_sol) filter (where is_open), 0)::text as sol from (
            select k.mint, k.initial_virtual_sol, (
              select t.virtual_sol from trade_rows t
              where t.mint_id = ${idOf(sql`k.mint`)} and t.id <= ${String(to)}::bigint and not t.in_pool order by t.id desc limit 1
            ) as virtual_sol, coalesce(
              (select c.timestamp from curve_migrations c where c.mint = k.mint) >= ${end}::bigint, true
            ) as is_open
            from tokens k where k.mint > ${last} order by k.mint limit ${MOST_TOKENS}
          ) page`,
    );
    if (row === undefined || row.last === null) return tvl;
    last = row.last;
    tvl += BigInt(row.sol);
  }
}
