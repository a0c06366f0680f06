// The last indexed prices of graduated tokens. Here and not in the market, which is above the features that read them.
import { sql } from 'drizzle-orm';
import { column } from '../db/statements.js';
import { statement, type Executor } from '../db/database.js';
import { idOf, isFinal } from './trades/trade.js';

/** Reserves of a curve or a pool in lamports and token units. Their ratio is the price. */
export interface Reserves {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** Reserves after the newest finalized trade in each token's pool. Tokens without such a trade are omitted. */
export async function newestPoolReserves(
  db: Executor,
  mints: readonly string[],
): Promise<Map<string, Reserves>> {
  const rows = await statement<Record<'mint' | 'virtual_sol' | 'virtual_token', string>>(db)`
    select mints.mint, newest.virtual_sol::text as virtual_sol, newest.virtual_token::text as virtual_token
    from unnest(${column(mints, 'text')}) as mints(mint) cross join lateral (
      select virtual_sol, virtual_token from trades
      where trades.mint_id = ${idOf(sql`mints.mint`)} and venue = 'pool' and ${isFinal('trades.id')} order by id desc limit 1
    ) newest`;
  return new Map(
    rows.map((row) => [
      row.mint,
      { virtualSol: BigInt(row.virtual_sol), virtualToken: BigInt(row.virtual_token) },
    ]),
  );
}
