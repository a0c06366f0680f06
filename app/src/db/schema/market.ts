// The market: what the board, the charts and the wallets' pages read. Folded from trades in the transaction that stores them.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
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
import { address, amount, byteText, moment, signature, sum } from './columns.js';

/**
 * A token as the board sorts it. Each sort has one index for every status: without a status, a query merges three of them, so
 * that a trade updates half as many indexes.
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
    /** Reserves that trade: the curve's, then the pool's. */
    virtualSol: amount().notNull(),
    virtualToken: amount().notNull(),
    /** Lamports: the whole supply at the current price. */
    marketCap: sum().notNull(),
    /** Towards graduation, in basis points. */
    progressBps: integer().notNull(),
    /** Lamports traded in the minutes since `market_state.lapsed_to`. */
    dayVolume: sum().notNull(),
    /** Market cap before these minutes; at first that of the creation. */
    dayOpen: sum().notNull(),
    trades: bigint({ mode: 'number' }).notNull(),
    /** Unix seconds; 0 before the first trade. */
    lastTradeAt: bigint({ mode: 'number' }).notNull(),
    /** The record of the creation: the order of creations. */
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
 * Text by which a token is found: its symbol, and its name from each of its words on, in small letters. A search is a range of
 * this key.
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

/** Candles of one minute with a trade. Prices are market caps in lamports. The first price is that before the first trade. */
export const candles = pgTable(
  'candles',
  {
    mint: address().notNull(),
    /** Unix seconds of its beginning. */
    minute: bigint({ mode: 'number' }).notNull(),
    /** Its first trade. */
    firstId: bigint({ mode: 'bigint' }).notNull(),
    open: sum().notNull(),
    high: sum().notNull(),
    low: sum().notNull(),
    close: sum().notNull(),
    /** Lamports. */
    volume: sum().notNull(),
    trades: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.mint, table.minute] }), index('candles_minute').on(table.minute)],
);

/** What a wallet has bought and sold of a token. Lamports and token units. */
export const positions = pgTable(
  'positions',
  {
    wallet: address().notNull(),
    mint: address().notNull(),
    /** Bought less sold: below zero for a wallet that sold tokens which it did not buy. */
    amount: sum().notNull(),
    paid: sum().notNull(),
    received: sum().notNull(),
    trades: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.wallet, table.mint] })],
);

/** Trades in pools. Ids are of the sequence of `records`, so that a token's trades have one order. */
export const poolTrades = pgTable(
  'pool_trades',
  {
    id: bigint({ mode: 'bigint' }).primaryKey(),
    signature: signature().notNull(),
    /** Index of the outer instruction. */
    outer: smallint().notNull(),
    /** Index of the inner instruction; −1 for the outer one itself. */
    inner: smallint().notNull(),
    slot: bigint({ mode: 'number' }).notNull(),
    mint: address().notNull(),
    trader: address().notNull(),
    isBuy: boolean().notNull(),
    /** Lamports that the trader paid or received, the pool's fee and all. */
    solAmount: amount().notNull(),
    tokenAmount: amount().notNull(),
    /** Lamports of the pool's fee. */
    fee: amount().notNull(),
    /** The pool's reserves after the trade. */
    virtualSol: amount().notNull(),
    virtualToken: amount().notNull(),
    /** Unix seconds of the cluster's clock. */
    timestamp: bigint({ mode: 'number' }).notNull(),
    finalized: boolean().notNull(),
  },
  (table) => [
    uniqueIndex('pool_trades_once').on(table.signature, table.outer, table.inner),
    index('pool_trades_of_mint').on(table.mint, table.id),
    index('pool_trades_of_trader').on(table.trader, table.id),
    index('pool_trades_unfinalized')
      .on(table.slot)
      .where(sql`not ${table.finalized}`),
  ],
);

/** One row. */
export const marketState = pgTable(
  'market_state',
  {
    id: smallint().primaryKey().default(1),
    /** Minutes before this one (unix seconds) no longer count as the last 24 hours. It outlives a reindex. */
    lapsedTo: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [check('market_state_single', sql`${table.id} = 1`)],
);

/**
 * What pages are told live, for an hour. Ids are in the order of commits: who writes holds one lock until then, so that a reader who
 * has seen an id never meets a smaller one later.
 */
export const marketEvents = pgTable('market_events', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  /** Null: for everybody. */
  mint: address(),
  /** A wallet whose event it is, too. */
  wallet: address(),
  type: text({
    enum: ['token', 'trade', 'update', 'graduated', 'migrated', 'metadata', 'dropped', 'reset'],
  }).notNull(),
  /** JSON, as it is sent. */
  data: text().notNull(),
  at: moment().notNull().defaultNow(),
});
