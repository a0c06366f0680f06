// Data derived from the records. `reindex` can derive all of it from the chain again.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { address, amount, moment, signature, sum } from './columns.js';
import { otherRecords } from './records.js';

/** Tokens created by the program. Shares are in basis points. */
export const tokens = pgTable(
  'tokens',
  {
    mint: address().primaryKey(),
    recordId: bigint({ mode: 'bigint' })
      .notNull()
      .references(() => otherRecords.id, { onDelete: 'cascade' }),
    creator: address().notNull(),
    /** The curve account. */
    curve: address().notNull(),
    name: text().notNull(),
    symbol: text().notNull(),
    uri: text().notNull(),
    afterMigrationFeeBps: integer().notNull(),
    burnBps: integer().notNull(),
    holdersBps: integer().notNull(),
    lpBps: integer().notNull(),
    initialVirtualSol: amount().notNull(),
    initialVirtualToken: amount().notNull(),
    platformFeeBps: integer().notNull(),
    /** Unix seconds of the cluster's clock. */
    createdAt: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    index('tokens_record').on(table.recordId),
    index('tokens_of_creator').on(table.creator, table.recordId),
  ],
);

/**
 * Contents of the JSON at a token's uri. It survives a reindex, so that it is not fetched twice. A token without a row is
 * not fetched yet.
 */
export const tokenMetadata = pgTable(
  'token_metadata',
  {
    mint: address().primaryKey(),
    uri: text().notNull(),
    /** URL of the image; empty when there is none. */
    image: text().notNull(),
    /** Why there is no document or no image. */
    problem: text(),
    /** In `stored_files`: the service's own copy of the image. */
    picture: text(),
    /** Why there is no copy. */
    pictureProblem: text(),
    /** In `stored_files`: the metadata itself, if it was uploaded to this service. */
    document: text(),
    description: text(),
    /** The creator's own claims, not verified: `{website?, x?, telegram?, discord?}`. */
    links: jsonb().$type<Readonly<Record<string, string>>>(),
    fetchedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    index('token_metadata_picture')
      .on(table.picture)
      .where(sql`${table.picture} is not null`),
    index('token_metadata_document')
      .on(table.document)
      .where(sql`${table.document} is not null`),
  ],
);

/** Migrations of graduated curves. */
export const curveMigrations = pgTable(
  'curve_migrations',
  {
    recordId: bigint({ mode: 'bigint' })
      .primaryKey()
      .references(() => otherRecords.id, { onDelete: 'cascade' }),
    mint: address().notNull(),
    feeAccount: address().notNull(),
    /** Lamports moved to the fee receiver. */
    solAmount: amount().notNull(),
    tokenAmount: amount().notNull(),
    /** Unix seconds of the cluster's clock. */
    timestamp: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [uniqueIndex('curve_migrations_once').on(table.mint)],
);

/** Graduations by the graduation program, with the amounts that opened the pool. Lamports and token units. */
export const graduations = pgTable(
  'graduations',
  {
    recordId: bigint({ mode: 'bigint' })
      .primaryKey()
      .references(() => otherRecords.id, { onDelete: 'cascade' }),
    mint: address().notNull(),
    pool: address().notNull(),
    poolSol: amount().notNull(),
    poolToken: amount().notNull(),
    /** Paid to the community storages. */
    communitySol: amount().notNull(),
    communityToken: amount().notNull(),
    /** Tokens burnt because they exceed the closing price. */
    burnt: amount().notNull(),
    /** Cost of opening the pool, in lamports. */
    costs: amount().notNull(),
    /** Unix seconds of the cluster's clock. */
    timestamp: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [uniqueIndex('graduations_once').on(table.mint)],
);

/** The state of each curve after its last record, with totals. */
export const curveStates = pgTable(
  'curve_states',
  {
    mint: address()
      .primaryKey()
      .references(() => tokens.mint, { onDelete: 'cascade' }),
    /** As `CurveStatus` of the SDK: 1 trading, 2 graduated, 3 migrated. */
    status: smallint().notNull(),
    virtualSol: amount().notNull(),
    virtualToken: amount().notNull(),
    buys: bigint({ mode: 'number' }).notNull(),
    sells: bigint({ mode: 'number' }).notNull(),
    /** Lamports paid by buyers, including fees. */
    solPaid: sum().notNull(),
    /** Lamports received by sellers, after fees. */
    solReceived: sum().notNull(),
    tokensBought: sum().notNull(),
    tokensSold: sum().notNull(),
    /** Platform fees in lamports. */
    fees: sum().notNull(),
    lastRecordId: bigint({ mode: 'bigint' }).notNull(),
    /** Unix seconds of the last record. */
    updatedAt: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    // Graduated, or all but 100 tokens sold. Used by `graduation/waiting-tokens.ts`.
    index('curve_states_waiting')
      .on(table.updatedAt)
      .where(sql`${table.status} = 2 or ${table.status} = 1 and ${table.virtualToken} <= 280000100000000`),
  ],
);

/** Progress of the indexer, one row. */
export const indexerState = pgTable(
  'indexer_state',
  {
    id: smallint().primaryKey().default(1),
    /** The indexed program. Another program needs another database. */
    programId: address().notNull(),
    /** Counts every change of this row, so that the write of a deposed leader is detected and refused. */
    version: bigint({ mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** The newest finalized transaction that was booked; null before the first. */
    signature: signature(),
    slot: bigint({ mode: 'number' }),
    /** Every transaction up to this finalized slot is booked; null before the first pass. */
    scannedSlot: bigint({ mode: 'number' }),
    /** While a long gap is being listed: the oldest transaction listed so far. */
    listedTo: signature(),
    /** Whether the listing of the gap has reached `signature`. */
    listed: boolean().notNull().default(false),
    /** Slot of the program's oldest transaction, as far as an RPC node ever reported it. It survives a reindex. */
    firstSlot: bigint({ mode: 'number' }),
    /** Why booking is held, for the operator; null while the RPC node's history is complete. */
    held: text(),
    /** Curves that differed from their account at the last check. */
    mismatchedCurves: integer().notNull().default(0),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [check('indexer_state_single', sql`${table.id} = 1`)],
);

/** Finalized transactions of a long gap. RPC nodes list them newest first; they wait here to be read oldest first. */
export const indexerBacklog = pgTable('indexer_backlog', {
  /** Grows from newer to older transactions. */
  age: bigserial({ mode: 'bigint' }).primaryKey(),
  signature: signature().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  /** Failed transactions make no records and are not fetched. */
  failed: boolean().notNull(),
});

/**
 * Booked transactions at which a listing can stop when the RPC node does not know the newest one. A few dozen, at
 * exponentially growing ages. See docs/decisions/anchors-and-unreadable-transactions.md.
 */
export const indexerAnchors = pgTable('indexer_anchors', {
  slot: bigint({ mode: 'number' }).primaryKey(),
  signature: signature().notNull(),
});

/**
 * Finalized transactions that no RPC node could return, or that this version could not decode. Indexing continues without
 * them.
 */
export const unreadableTransactions = pgTable(
  'unreadable_transactions',
  {
    signature: signature().primaryKey(),
    slot: bigint({ mode: 'number' }).notNull(),
    /** Version of the message; null when unknown. */
    version: integer(),
    reason: text().notNull(),
    /** The transaction was read later and has records. Only a reindex can book them in the order of the chain. */
    hasRecords: boolean().notNull().default(false),
    /** Number of retries. */
    looks: integer().notNull().default(0),
    lookAgainAt: moment()
      .notNull()
      .default(sql`now() + interval '1 minute'`),
    seenAt: moment().notNull().defaultNow(),
  },
  (table) => [
    index('unreadable_transactions_due')
      .on(table.lookAgainAt)
      .where(sql`not ${table.hasRecords}`),
  ],
);
