// A wallet's positions at current prices, and the tokens that it created.
import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/prepared.js';
import { idOf } from '../../trades/trade.js';
import { worthOf } from '../books/sql.js';
import { identityOf, IDENTITY_COLUMNS, type TokenRow } from './token-rows.js';
import { tokenPage } from './tokens.js';

/** Maximum tokens listed: the most valuable positions, and the newest created tokens. */
const MOST_POSITIONS = 200;
const MOST_CREATED = 100;

type PositionRow = Readonly<
  Record<'mint' | 'name' | 'symbol' | 'amount' | 'value' | 'paid' | 'received' | 'profit', string>
> &
  Pick<TokenRow, 'hidden' | 'picture'>;

const VALUE = sql.raw(worthOf('greatest(p.amount, 0)', 'm.virtual_sol', 'm.virtual_token'));

export async function walletOf(db: Executor, address: string) {
  const rows = await preparedRows<PositionRow>(
    db,
    // A wallet can sell tokens that it received from another wallet, so it can sell more than it bought.
    sql`select t.mint, t.name, t.symbol, greatest(p.amount, 0)::text as amount, v.value::text as value, p.paid::text as paid,
          p.received::text as received, (v.value + p.received - p.paid)::text as profit, ${IDENTITY_COLUMNS}
        from positions p join tokens t on t.mint = p.mint join market_tokens m on m.mint = t.mint,
          lateral (
            select ${VALUE} as value
          ) v
        where p.wallet_id = ${idOf(sql`${address}::text`)} order by v.value desc, t.mint limit ${MOST_POSITIONS}`,
  );
  const created = await tokenPage(db, { sort: 'new', creator: address, limit: MOST_CREATED });
  const tokens = rows.map(({ hidden, picture, ...row }) => ({
    ...row,
    ...identityOf({ ...row, hidden, picture }),
  }));
  return { tokens, created: created.items };
}
