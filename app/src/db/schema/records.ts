// Log records of the program, and trades. `reindex` reads all of it from the chain again.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  index,
  pgTable,
  pgView,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { address, amount, digestOf, hashOf, signature } from './columns.js';

/** Where a token trades. */
export const VENUES = ['curve', 'pool'] as const;

/** Log records other than trades. `id` grows in the order of the chain. */
export const otherRecords = pgTable(
  'other_records',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    signature: signature().notNull(),
    /** Index of the outer instruction. */
    outer: smallint().notNull(),
    /** Index of the inner instruction; −1 when the outer one made the record. */
    inner: smallint().notNull(),
    slot: bigint({ mode: 'number' }).notNull(),
    kind: text({ enum: ['create', 'migrate', 'graduate', 'unknown'] }).notNull(),
    /** Null for an unknown record. */
    mint: address(),
    /** The bytes in base64, only for unknown records: a later version may be able to decode them. */
    raw: text(),
  },
  (table) => [uniqueIndex('other_records_once').on(table.signature, table.outer, table.inner)],
);

/** Trades on the curves, which are log records, and in the pools of graduated tokens. All ids are of one sequence. */
export const trades = pgTable(
  'trades',
  {
    id: bigint({ mode: 'bigint' }).primaryKey(),
    venue: text({ enum: VENUES }).notNull(),
    signature: signature().notNull(),
    /** Index of the outer instruction. */
    outer: smallint().notNull(),
    /** Index of the inner instruction; −1 when the outer one made the trade. */
    inner: smallint().notNull(),
    slot: bigint({ mode: 'number' }).notNull(),
    mint: address().notNull(),
    trader: address().notNull(),
    isBuy: boolean().notNull(),
    /** Lamports that the trader paid or received, including the fee. */
    solAmount: amount().notNull(),
    tokenAmount: amount().notNull(),
    /** The platform's or the pool's fee in lamports. */
    fee: amount().notNull(),
    /** Reserves of the curve or the pool after the trade. */
    virtualSol: amount().notNull(),
    virtualToken: amount().notNull(),
    /** Whether the trade bought the last tokens of the curve. */
    graduated: boolean().notNull(),
    /** Unix seconds of the cluster's clock. */
    timestamp: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    // Hashes are a fifth as long as the texts: see docs/decisions/index-keys.md.
    uniqueIndex('trades_once').on(digestOf(table.signature), table.outer, table.inner),
    index('trades_of_signature').using('hash', table.signature),
    index('trades_of_mint').on(hashOf(table.mint), table.id),
    index('trades_of_trader').on(hashOf(table.trader), table.id),
  ],
);

/** Records of a curve, and trades in pools, that a reorg can still drop. A final one has no row here. */
export const unfinalized = pgTable('unfinalized', {
  id: bigint({ mode: 'bigint' }).primaryKey(),
  venue: text({ enum: VENUES }).notNull(),
});

/** Every log record, once. */
export const records = pgView('records', {
  id: bigint({ mode: 'bigint' }).notNull(),
  signature: signature().notNull(),
  outer: smallint().notNull(),
  inner: smallint().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  kind: text({ enum: ['create', 'trade', 'migrate', 'graduate', 'unknown'] }).notNull(),
  mint: address(),
  finalized: boolean().notNull(),
  raw: text(),
}).as(sql`
  select id, signature, "outer", "inner", slot, kind, mint,
    not exists (select 1 from unfinalized u where u.id = r.id) as finalized, raw from other_records r
  union all select id, signature, "outer", "inner", slot, 'trade'::text, mint,
    not exists (select 1 from unfinalized u where u.id = t.id), null::text from trades t where venue = 'curve'`);
