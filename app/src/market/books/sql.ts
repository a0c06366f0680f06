// SQL shared by the files of this folder.
import { TOKEN_SUPPLY } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { MINUTE } from './trade.js';

/** Trades of curves and pools, as a subquery. PostgreSQL pushes conditions on it down to the indexes of both tables. */
export const ALL_TRADES = sql.raw(`(
  select record_id as id, mint, virtual_sol, virtual_token, sol_amount, timestamp from trades
  union all select id, mint, virtual_sol, virtual_token, sol_amount, timestamp from pool_trades)`);

/** Market cap after a trade, from a row with the reserves: see `capOf`. */
export const CAP = sql.raw(`coalesce(div(virtual_sol * ${TOKEN_SUPPLY}, nullif(virtual_token, 0)), 0)`);

/** Minute of a trade: see `minuteOf`. */
export const MINUTE_OF_TRADE = sql.raw(`timestamp - timestamp % ${MINUTE}`);
