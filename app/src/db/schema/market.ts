// Tables for the token board, the charts and the wallet pages. Updated in the transaction that stores the trades.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { tokens } from './chain.js';
import { address, amount, byteText, digestOf, moment, sum } from './columns.js';

/**
 * A token with the sort keys of the board. Each sort has one index that begins with the status. A query without a status
 * merges three index ranges; that way a trade updates half as many indexes.
 */
export const marketTokens = pgTable(
  'market_tokens',
  {
    mint: address()
      .primaryKey()
      .references(() => tokens.mint, { onDelete: 'cascade' }),
    /** As `CurveStatus` of the SDK: 1 trading, 2 graduated, 3 migrated. */
    status: smallint().notNull(),
    initialVirtualToken: amount().notNull(),
    /** Current reserves: of the curve, then of the pool. */
    virtualSol: amount().notNull(),
    virtualToken: amount().notNull(),
    /** Price of the whole supply, in lamports. */
    marketCap: sum().notNull(),
    /** Progress towards graduation, in basis points. */
    progressBps: integer().notNull(),
    /** Lamports traded in the minutes since `market_state.lapsed_to`. */
    dayVolume: sum().notNull(),
    /** Market cap before these minutes. At first the market cap at creation. */
    dayOpen: sum().notNull(),
    trades: bigint({ mode: 'number' }).notNull(),
    /** Unix seconds; 0 before the first trade. */
    lastTradeAt: bigint({ mode: 'number' }).notNull(),
    /** The record of the creation. Sorts tokens by creation. */
    createdId: bigint({ mode: 'bigint' }).notNull(),
    /** The newest record or pool trade. */
    lastId: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [
    index('market_tokens_new').on(table.status, table.createdId),
    index('market_tokens_cap').on(table.status, table.marketCap, table.mint),
    index('market_tokens_volume').on(table.status, table.dayVolume, table.mint),
    index('market_tokens_progress').on(table.status, table.progressBps, table.mint),
    index('market_tokens_last_trade').on(table.status, table.lastTradeAt, table.mint),
  ],
);

/**
 * Search terms of a token, in lower case: the symbol, and the name from the start of each of its words. A search is a range
 * of this key.
 */
export const tokenTerms = pgTable(
  'token_terms',
  {
    term: byteText().notNull(),
    mint: address()
      .notNull()
      .references(() => tokens.mint, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.term, table.mint] }), index('token_terms_mint').on(table.mint)],
);

/**
 * Candles of one minute, only for minutes with a trade. Prices are market caps in lamports. `open` is the price before the
 * first trade.
 */
export const candles = pgTable(
  'candles',
  {
    mint: address().notNull(),
    /** Unix seconds of the start. */
    minute: bigint({ mode: 'number' }).notNull(),
    /** Id of the first trade. */
    firstId: bigint({ mode: 'bigint' }).notNull(),
    open: sum().notNull(),
    high: sum().notNull(),
    low: sum().notNull(),
    close: sum().notNull(),
    /** In lamports. */
    volume: sum().notNull(),
    trades: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.mint, table.minute] }), index('candles_minute').on(table.minute)],
);

/** Bought and sold amounts of a wallet and token. Lamports and token units. */
export const positions = pgTable(
  'positions',
  {
    wallet: address().notNull(),
    mint: address().notNull(),
    /** Bought minus sold. Negative when the wallet sold tokens that it received in other ways. */
    amount: sum().notNull(),
    paid: sum().notNull(),
    received: sum().notNull(),
    trades: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [uniqueIndex('positions_once').on(digestOf(table.wallet), digestOf(table.mint))],
);

/** State of the market tables, one row. */
export const marketState = pgTable(
  'market_state',
  {
    id: smallint().primaryKey().default(1),
    /** Minutes before this one (unix seconds) no longer count as the last 24 hours. It survives a reindex. */
    lapsedTo: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [check('market_state_single', sql`${table.id} = 1`)],
);

/**
 * Live events for open pages, kept for an hour. Ids grow in the order of commits: a writer holds one lock until its commit,
 * so that a smaller id never appears after a larger one.
 */
export const marketEvents = pgTable(
  'market_events',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    /** Null: the event is for all clients. */
    mint: address(),
    /** The wallet that the event also belongs to. */
    wallet: address(),
    type: text({
      enum: ['token', 'trade', 'update', 'graduated', 'migrated', 'metadata', 'dropped', 'reset'],
    }).notNull(),
    /** JSON, as sent to clients. */
    data: text().notNull(),
    at: moment().notNull().defaultNow(),
    // One index for each kind of topic, so that a client that resumes reads its own events only.
  },
  (table) => [
    index('market_events_mint').on(table.mint, table.id),
    index('market_events_wallet')
      .on(table.wallet, table.id)
      .where(sql`wallet is not null`),
    index('market_events_board')
      .on(table.id)
      .where(sql`type <> 'trade'`),
    index('market_events_all')
      .on(table.id)
      .where(sql`type in ('dropped', 'reset')`),
  ],
);
