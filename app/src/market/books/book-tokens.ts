// Adds created tokens to the market tables, and updates tokens that have left their curve.
import { CurveStatus } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { column, insertRows } from '../../db/statements.js';
import type { Transaction } from '../../db/database.js';
import type { RecordOf } from '../../index/records.js';
import { textOf } from '../../index/trades/key-text.js';
import { CAP } from './sql.js';
import { bookNames, termsOf } from './names.js';
import type { Dropped, IndexHooks, Stored } from '../../index/hooks.js';
import { bookTrades } from './book-trades.js';
import { takeBack } from './take-back.js';
import { publishDropped, publishNewest, publishRecords } from '../stream/publish.js';

async function bookCreations(tx: Transaction, records: readonly RecordOf<'create'>[]): Promise<void> {
  if (records.length === 0) return;
  await tx.execute(sql`
    insert into market_tokens (mint, status, initial_virtual_token, virtual_sol, virtual_token, market_cap, progress_bps,
      day_volume, day_open, trades, last_trade_at, created_id, last_id)
    select mint, ${CurveStatus.Trading}::smallint, virtual_token, virtual_sol, virtual_token, ${CAP}, 0, 0, ${CAP}, 0, 0, record_id,
      record_id
    from (
      select mint, record_id, initial_virtual_sol as virtual_sol, initial_virtual_token as virtual_token from tokens
      where mint = any(${mintsOf(records)})
    ) created order by record_id
  `);
  const terms = records.flatMap(({ data: { mint, name, symbol } }) =>
    termsOf(name, symbol).map((term) => ({ mint: textOf(mint), term })),
  );
  await insertRows(tx, 'token_terms', terms, {
    term: ['text', ({ term }) => term],
    mint: ['text', ({ mint }) => mint],
  });
  await bookNames(
    tx,
    records.map(({ data: { mint, name, symbol } }) => ({ mint: textOf(mint), name, symbol })),
  );
}

/** A migration does not name a pool; a graduation does, and its reserves are the token's then. */
async function bookMoves(
  tx: Transaction,
  records: readonly (RecordOf<'migrate'> | RecordOf<'graduate'>)[],
): Promise<void> {
  if (records.length === 0) return;
  await tx.execute(sql`
    update market_tokens m set status = ${CurveStatus.Migrated}::smallint, last_id = s.last_record_id,
      virtual_sol = coalesce(f.virtual_sol, m.virtual_sol), virtual_token = coalesce(f.virtual_token, m.virtual_token),
      market_cap = coalesce(f.cap, m.market_cap), progress_bps = 10000
    from curve_states s left join lateral (
      select virtual_sol, virtual_token, ${CAP} as cap
      from (select pool_sol as virtual_sol, pool_token as virtual_token from graduations where mint = s.mint) opened
    ) f on true
    where m.mint = s.mint and s.mint = any(${mintsOf(records)})
  `);
}

const mintsOf = (
  records: readonly { readonly data: RecordOf<'create' | 'migrate' | 'graduate'>['data'] }[],
) =>
  column(
    records.map(({ data }) => textOf(data.mint)),
    'text',
  );

// The indexer passes its records to the market here, in the transaction that stores, finalizes or drops them.

export const marketHooks = {
  // Order: a token's creation, then the trades on its curve, then its migration or graduation.
  onStored: async (tx: Transaction, stored: Stored) => {
    const { records, trades } = stored;
    await bookCreations(
      tx,
      records.filter((record) => record.kind === 'create'),
    );
    await bookTrades(tx, trades);
    await bookMoves(
      tx,
      records.filter((record) => record.kind === 'migrate' || record.kind === 'graduate'),
    );
    await publishRecords(tx, stored);
  },
  onNewest: publishNewest,
  onDropped: async (tx: Transaction, dropped: Dropped) => {
    await takeBack(tx, dropped);
    await publishDropped(tx, dropped.mints, dropped.firstId);
  },
} satisfies IndexHooks;
