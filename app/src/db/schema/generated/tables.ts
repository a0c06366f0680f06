// Made by `npm run db:schema -w app` from a migrated database; a test compares it. Change the SQL in app/database.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  integer,
  jsonb,
  numeric,
  pgTable,
  pgView,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { amount, byteText, moment, sum } from '../columns.js';
import {
  API_KEYS_SCOPES,
  AUTHORITY_TRANSACTIONS_STATE,
  CLAIMS_ASSET,
  CLAIMS_STATE,
  FEE_SHARES_KIND,
  LEDGER_ACCOUNTS_KIND,
  LEDGER_ACCOUNTS_ASSET,
  LEDGER_ACCOUNTS_ORIGIN,
  LEDGER_TOTALS_ASSET,
  LEDGER_TOTALS_ORIGIN,
  LEDGER_TOTALS_KIND,
  MARKET_EVENTS_TYPE,
  OTHER_RECORDS_KIND,
  PAYMENT_FINDINGS_KIND,
  PAYMENT_FINDINGS_STATE,
  PAYMENT_WATCHES_ROLE,
  PENDING_REWARDS_ASSET,
  PENDING_REWARDS_ORIGIN,
  SETTLEMENTS_STATE,
  STORED_FILES_KIND,
  TASKS_KIND,
  TREASURY_FUNDINGS_ORIGIN,
  UNFINALIZED_VENUE,
} from './values.js';

/** A number for each mint and each wallet of a trade, which is a tenth as long. Never deleted. */
export const addresses = pgTable('addresses', {
  id: integer().notNull(),
  address: byteText().notNull(),
});

/** API keys. The secret itself is never stored. */
export const apiKeys = pgTable('api_keys', {
  /** The public part of the key, which may appear in logs. */
  id: text().notNull(),
  partnerId: bigint({ mode: 'number' }).notNull(),
  /** SHA-256 of the secret in hex. */
  secretHash: text().notNull(),
  scopes: text({ enum: API_KEYS_SCOPES }).array().notNull(),
  /** Requests per window, counted by key. Null: the limit of the client's address applies. */
  requestLimit: integer(),
  expiresAt: moment(),
  revokedAt: moment(),
  /** Id of the key that replaced this one at a rotation. */
  replacedBy: text(),
  lastUsedAt: moment(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Transactions signed with an authority's key, stored before they are sent. */
export const authorityTransactions = pgTable('authority_transactions', {
  signature: byteText().notNull(),
  /** The purpose: `settlement:ID` or `migration:MINT`. */
  subject: text().notNull(),
  /** The signed transaction as it is sent, in base64. */
  transaction: text().notNull(),
  /** Slot at which the transaction's blockhash was read. Null for transactions signed before the slot was stored. */
  blockhashSlot: bigint({ mode: 'number' }),
  lastValidBlockHeight: bigint({ mode: 'number' }).notNull(),
  /** Every state except `signed` is final. */
  state: text({ enum: AUTHORITY_TRANSACTIONS_STATE })
    .notNull()
    .default(sql`'signed'::text`),
  /** Why it failed. */
  problem: text(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
  updatedAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Candles of a day, as `candle_hours`. */
export const candleDays = pgTable('candle_days', {
  mint: byteText().notNull(),
  /** Unix seconds of the start. */
  day: bigint({ mode: 'number' }).notNull(),
  firstId: bigint({ mode: 'number' }).notNull(),
  open: sum().notNull(),
  high: sum().notNull(),
  low: sum().notNull(),
  close: sum().notNull(),
  volume: sum().notNull(),
  trades: integer().notNull(),
});

/** Candles of an hour, of trades before `market_state.rolled_to`. Later trades have candles of a minute only. */
export const candleHours = pgTable('candle_hours', {
  mint: byteText().notNull(),
  /** Unix seconds of the start. */
  hour: bigint({ mode: 'number' }).notNull(),
  firstId: bigint({ mode: 'number' }).notNull(),
  open: sum().notNull(),
  high: sum().notNull(),
  low: sum().notNull(),
  close: sum().notNull(),
  volume: sum().notNull(),
  trades: integer().notNull(),
});

/** Candles of one minute, only for minutes with a trade. Prices are market caps in lamports. `open` is the price before the first trade. */
export const candles = pgTable('candles', {
  mint: byteText().notNull(),
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
});

/** Claims. The key is the signature of the transaction that pays the claim. */
export const claims = pgTable('claims', {
  signature: byteText().notNull(),
  wallet: byteText().notNull(),
  mint: byteText().notNull(),
  asset: text({ enum: CLAIMS_ASSET }).notNull(),
  /** The reserved amount: lamports including the network fee, or token units. */
  amount: amount().notNull(),
  /** The parts of the amount that come from referrals and from volume. The rest comes from settlements. */
  referral: amount()
    .notNull()
    .default(sql`0`),
  /** Network fee in lamports, part of the amount. */
  networkFee: amount().notNull(),
  burn: boolean().notNull(),
  /** Whether the treasury pays for the wallet's token account. */
  opensAccount: boolean()
    .notNull()
    .default(sql`false`),
  /** Lamports of rent that the transaction takes from the treasury. A transaction that burns returns them at its end. */
  rent: amount()
    .notNull()
    .default(sql`0`),
  /** The transaction as returned to the wallet: base64, signed by the treasury. */
  transaction: text().notNull(),
  /** Slot at which the transaction's blockhash was read. */
  blockhashSlot: bigint({ mode: 'number' }).notNull(),
  lastValidBlockHeight: bigint({ mode: 'number' }).notNull(),
  /** Every state except `IN_PROGRESS` is final. */
  state: text({ enum: CLAIMS_STATE })
    .notNull()
    .default(sql`'IN_PROGRESS'::text`),
  /** Why it failed. */
  problem: text(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
  updatedAt: moment()
    .notNull()
    .default(sql`now()`),
  volume: amount()
    .notNull()
    .default(sql`0`),
});

/** Migrations of graduated curves. */
export const curveMigrations = pgTable('curve_migrations', {
  recordId: bigint({ mode: 'bigint' }).notNull(),
  mint: byteText().notNull(),
  feeAccount: byteText().notNull(),
  /** Lamports moved to the fee receiver. */
  solAmount: amount().notNull(),
  tokenAmount: amount().notNull(),
  /** Unix seconds of the cluster's clock. */
  timestamp: bigint({ mode: 'number' }).notNull(),
});

/** The state of each curve after its last record, with totals. */
export const curveStates = pgTable('curve_states', {
  mint: byteText().notNull(),
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
  /** Graduated, or all but 100 tokens sold. Its index does not change with each trade, unlike one of the columns that it comes from. */
  isWaiting: boolean()
    .notNull()
    .default(
      sql`((status = 2) OR ((status = 1) AND (virtual_token <= ('280000100000000'::bigint)::numeric)))`,
    ),
});

export const databaseVersions = pgTable('database_versions', {
  id: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('database_versions_id_seq'::regclass)`),
  /** Hash of all migrations and functions of a build. */
  hash: text().notNull(),
  /** The functions of that build: the hash of each file by name. */
  functions: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
  appliedAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Who earns the share of a token. The creator signs it once, before the launch or before anybody else trades. Without a row, the creator earns it. */
export const feeShares = pgTable('fee_shares', {
  mint: byteText().notNull(),
  /** The wallet that signed. A row counts only if it is the creator of the token. */
  creator: byteText().notNull(),
  kind: text({ enum: FEE_SHARES_KIND }).notNull(),
  wallets: byteText()
    .array()
    .notNull()
    .default(sql`'{}'::text[]`),
  /** The part of each wallet in basis points; they sum to 10,000. */
  parts: integer()
    .array()
    .notNull()
    .default(sql`'{}'::integer[]`),
  /** The slot in the message. It counts for trades of later slots. */
  slot: bigint({ mode: 'number' }).notNull(),
  message: text().notNull(),
  /** Base64 of the bytes that the wallet signed: the message, or an envelope of a hardware wallet with it. */
  signed: text().notNull(),
  signature: byteText().notNull(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Graduations by the graduation program, with the amounts that opened the pool. Lamports and token units. */
export const graduations = pgTable('graduations', {
  recordId: bigint({ mode: 'bigint' }).notNull(),
  mint: byteText().notNull(),
  pool: byteText().notNull(),
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
});

/** Tokens that an operator has hidden: `curvekit token hide`. */
export const hiddenTokens = pgTable('hidden_tokens', {
  mint: byteText().notNull(),
  /** For the operator, not shown to users. */
  reason: text().notNull(),
  hiddenAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Stored answers of requests with an `Idempotency-Key`. */
export const idempotencyKeys = pgTable('idempotency_keys', {
  wallet: byteText().notNull(),
  key: text().notNull(),
  /** SHA-256 of the request in hex. A different request with the same key is refused. */
  requestHash: text().notNull(),
  body: text().notNull(),
  expiresAt: moment().notNull(),
});

/** Booked transactions at which a listing can stop when the RPC node does not know the newest one. A few dozen, at exponentially growing ages. See docs/decisions/indexer.md. */
export const indexerAnchors = pgTable('indexer_anchors', {
  slot: bigint({ mode: 'number' }).notNull(),
  signature: byteText().notNull(),
});

/** Finalized transactions of a long gap. RPC nodes list them newest first; they wait here to be read oldest first. */
export const indexerBacklog = pgTable('indexer_backlog', {
  /** Grows from newer to older transactions. */
  age: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('indexer_backlog_age_seq'::regclass)`),
  signature: byteText().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  /** Failed transactions make no records and are not fetched. */
  failed: boolean().notNull(),
});

/** Progress of the indexer, one row. */
export const indexerState = pgTable('indexer_state', {
  id: smallint()
    .notNull()
    .default(sql`1`),
  /** The indexed program. Another program needs another database. */
  programId: byteText().notNull(),
  /** Counts every change of this row, so that the write of a deposed leader is detected and refused. */
  version: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  /** The newest finalized transaction that was booked; null before the first. */
  signature: byteText(),
  slot: bigint({ mode: 'number' }),
  /** Every transaction up to this finalized slot is booked; null before the first pass. */
  scannedSlot: bigint({ mode: 'number' }),
  /** While a long gap is being listed: the oldest transaction listed so far. */
  listedTo: byteText(),
  /** Whether the listing of the gap has reached `signature`. */
  listed: boolean()
    .notNull()
    .default(sql`false`),
  /** Slot of the program's oldest transaction, as far as an RPC node ever reported it. It survives a reindex. */
  firstSlot: bigint({ mode: 'number' }),
  /** Why booking is held, for the operator; null while the RPC node's history is complete. */
  held: text(),
  /** Curves that differed from their account at the last check. */
  mismatchedCurves: integer()
    .notNull()
    .default(sql`0`),
  updatedAt: moment()
    .notNull()
    .default(sql`now()`),
  /** Confirmed slots of the gRPC feed that wait to be shown: 0 while no more trades come than can be written. */
  waitingSlots: integer()
    .notNull()
    .default(sql`0`),
});

/** Leases: each has one holder at a time. */
export const leases = pgTable('leases', {
  name: text().notNull(),
  /** The instance that holds the lease. */
  holder: text().notNull(),
  /** Grows with each new holder. Writes with an old token are refused. */
  token: bigint({ mode: 'bigint' }).notNull(),
  expiresAt: moment().notNull(),
  /** The holder's database session. When the session ends, the lease ends too. */
  sessionPid: integer().notNull(),
  sessionStart: moment().notNull(),
});

/** One account per kind, wallet, token, asset and origin. Rewards of two origins never mix, because each origin is paid from its own money in the treasury. */
export const ledgerAccounts = pgTable('ledger_accounts', {
  id: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('ledger_accounts_id_seq'::regclass)`),
  kind: text({ enum: LEDGER_ACCOUNTS_KIND }).notNull(),
  /** The wallet; null for a source. */
  owner: byteText(),
  mint: byteText().notNull(),
  asset: text({ enum: LEDGER_ACCOUNTS_ASSET }).notNull(),
  /** The source kind that the rewards came from. For a source, its own kind. */
  origin: text({ enum: LEDGER_ACCOUNTS_ORIGIN }).notNull(),
  /** Sum of the account's entries, updated by a trigger. */
  balance: sum()
    .notNull()
    .default(sql`0`),
});

/** The movements of a posting: positive into the account, negative out of it. */
export const ledgerEntries = pgTable('ledger_entries', {
  id: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('ledger_entries_id_seq'::regclass)`),
  postingId: bigint({ mode: 'bigint' }).notNull(),
  accountId: bigint({ mode: 'bigint' }).notNull(),
  amount: sum().notNull(),
});

/** One event that moved rewards. The key makes a repeated event harmless. */
export const ledgerPostings = pgTable('ledger_postings', {
  id: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('ledger_postings_id_seq'::regclass)`),
  key: text().notNull(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Totals of all accounts per asset, origin and kind, updated by a trigger: the total is the sum of the rows. Each statement adds its own rows, so that postings do not wait for each other here. A job merges old rows (`foldTotals`). */
export const ledgerTotals = pgTable('ledger_totals', {
  id: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('ledger_totals_id_seq'::regclass)`),
  asset: text({ enum: LEDGER_TOTALS_ASSET }).notNull(),
  origin: text({ enum: LEDGER_TOTALS_ORIGIN }).notNull(),
  kind: text({ enum: LEDGER_TOTALS_KIND }).notNull(),
  amount: sum().notNull(),
});

/** Live events for open pages, stored for an hour. Ids grow in the order of commits: a writer holds one lock until its commit, so that a smaller id never appears after a larger one. */
export const marketEvents = pgTable('market_events', {
  id: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('market_events_id_seq'::regclass)`),
  /** Null: the event is for all clients. */
  mint: byteText(),
  /** The wallet that the event also belongs to. */
  wallet: byteText(),
  type: text({ enum: MARKET_EVENTS_TYPE }).notNull(),
  /** JSON, as sent to clients. */
  data: text().notNull(),
  at: moment()
    .notNull()
    .default(sql`now()`),
});

/** State of the market tables, one row. */
export const marketState = pgTable('market_state', {
  id: smallint()
    .notNull()
    .default(sql`1`),
  /** Minutes before this one (unix seconds) no longer count as the last 24 hours. It survives a reindex. */
  lapsedTo: bigint({ mode: 'number' }).notNull(),
  /** Trades before this minute (unix seconds) are final, and in the candles of hours and days. */
  rolledTo: bigint({ mode: 'number' })
    .notNull()
    .default(sql`0`),
  /** Candles of minutes before this one are deleted. */
  minutesFrom: bigint({ mode: 'number' })
    .notNull()
    .default(sql`0`),
  /** Every pool trade up to this finalized slot is stored. Kept with `LISTING_POOLS` only. */
  poolsSlot: bigint({ mode: 'number' }),
});

/** A token with the sort keys of the board. Each sort has one index that begins with the status. A query without a status merges three index ranges; that way a trade updates half as many indexes. */
export const marketTokens = pgTable('market_tokens', {
  mint: byteText().notNull(),
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
  /** Token units bought on the curve in the slot of the creation. */
  launchSlotBought: sum()
    .notNull()
    .default(sql`0`),
});

/** Token accounts that the platform has paid for, or will pay for, per owner. It never pays for the same account again. */
export const openedAccounts = pgTable('opened_accounts', {
  owner: byteText().notNull(),
  mint: byteText().notNull(),
  /** The purpose: `settlement:ID`. */
  subject: text().notNull(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Log records other than trades. `id` grows in the order of the chain. */
export const otherRecords = pgTable('other_records', {
  id: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`nextval('records_id_seq'::regclass)`),
  signature: byteText().notNull(),
  /** Index of the outer instruction. */
  outer: smallint().notNull(),
  /** Index of the inner instruction; −1 when the outer one made the record. */
  inner: smallint().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  kind: text({ enum: OTHER_RECORDS_KIND }).notNull(),
  /** Null for an unknown record. */
  mint: byteText(),
  /** The bytes in base64, only for unknown records: a later version may be able to decode them. */
  raw: text(),
});

/** Totals of each partner's users, updated by triggers. Lamports. */
export const partnerTotals = pgTable('partner_totals', {
  partnerId: bigint({ mode: 'number' }).notNull(),
  users: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  trades: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  volumeSol: sum()
    .notNull()
    .default(sql`0`),
  feesSol: sum()
    .notNull()
    .default(sql`0`),
  rewardSol: sum()
    .notNull()
    .default(sql`0`),
});

/** Registered users, with totals of their finalized trades since. A user belongs to the partner that registered it first. */
export const partnerUsers = pgTable('partner_users', {
  wallet: byteText().notNull(),
  partnerId: bigint({ mode: 'number' }).notNull(),
  /** The user's signature of the registration message. */
  signature: byteText().notNull(),
  registeredAt: moment()
    .notNull()
    .default(sql`now()`),
  /** The cluster's slot at registration. Only trades of later slots count. */
  registeredSlot: bigint({ mode: 'number' }).notNull(),
  trades: bigint({ mode: 'number' })
    .notNull()
    .default(sql`0`),
  /** Lamports paid and received. */
  volumeSol: sum()
    .notNull()
    .default(sql`0`),
  /** Platform fees in lamports. */
  feesSol: sum()
    .notNull()
    .default(sql`0`),
  /** Referral rewards in lamports. */
  rewardSol: sum()
    .notNull()
    .default(sql`0`),
});

/** Services that register users. */
export const partners = pgTable('partners', {
  id: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('partners_id_seq'::regclass)`),
  name: text().notNull(),
  /** Receives the referral rewards. */
  payoutWallet: byteText().notNull(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Which database pays from a treasury, as this one knows: docs/decisions/split-brain.md. */
export const payerMarks = pgTable('payer_marks', {
  treasury: byteText().notNull(),
  /** The epoch that this database has on chain, or was about to write. */
  mark: byteText(),
  /** What stood there before; null when there was no account. */
  previous: byteText(),
  /** The finalized height from which on claims may be signed; null until the epoch was seen on chain. */
  opensAt: bigint({ mode: 'number' }),
  /** The highest `last_valid_block_height` of a claim that may be signed; null while none may be. */
  validTo: bigint({ mode: 'number' }),
  /** Why payments wait, in one line. */
  held: text(),
  /** Whether another database has taken over. */
  isLost: boolean()
    .notNull()
    .default(sql`false`),
});

/** Transactions signed by a watched address that are missing in the tables. */
export const paymentFindings = pgTable('payment_findings', {
  signature: byteText().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  kind: text({ enum: PAYMENT_FINDINGS_KIND }).notNull(),
  /** `open`: a payment that cannot be booked; it holds all others. `booked`: a payment that was missing in the tables. `accepted`: the operator accepted that it stays unbooked. `other`: not a payment of the service. `unreadable`: of a transaction version that cannot be read yet, so not a payment of the service. */
  state: text({ enum: PAYMENT_FINDINGS_STATE }).notNull(),
  /** What the transaction is, what was done, or why it cannot be booked. */
  detail: text().notNull(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
  updatedAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Transactions with a watched address that are listed and not processed yet. Progress of a long reading. */
export const paymentUnread = pgTable('payment_unread', {
  /** In the order of the listing: within a slot, newer transactions have smaller numbers. */
  id: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('payment_unread_id_seq'::regclass)`),
  signature: byteText().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  /** Whether it was read and can be a payment of the service. Other read transactions are deleted. */
  isOwn: boolean()
    .notNull()
    .default(sql`false`),
});

/** Addresses whose transactions are read, in each role that they had, and the progress of each. */
export const paymentWatches = pgTable('payment_watches', {
  address: byteText().notNull(),
  role: text({ enum: PAYMENT_WATCHES_ROLE }).notNull(),
  /** The newest transaction that was processed. */
  signature: byteText(),
  /** Every transaction up to this finalized slot was processed; null before the first pass. */
  slot: bigint({ mode: 'number' }),
  /** Every transaction up to this slot was set aside or is in `payment_unread`, and the newest of them. */
  listedSlot: bigint({ mode: 'number' }),
  listedSignature: byteText(),
  /** `listed_slot` and `listed_signature` when the listing in progress ends; null without one. */
  listingSlot: bigint({ mode: 'number' }),
  listingSignature: byteText(),
  /** The oldest transaction listed so far: the listing goes from new to old and continues here. */
  listingBefore: byteText(),
});

/** One row. Payments are open when `payments_held()` returns null. */
export const paymentsGate = pgTable('payments_gate', {
  id: smallint()
    .notNull()
    .default(sql`1`),
  /** The reconciled `database_incarnation()`. */
  incarnation: text(),
  reconciledAt: moment(),
  /** Every payment up to this finalized slot is booked or accepted. */
  reconciledSlot: bigint({ mode: 'number' }),
  /** What the operator must do before payments can open, in one line. */
  held: text(),
  /** The incarnation that is being reconciled. */
  waitingIncarnation: text(),
  /** Finalized block height at which every transaction signed before the restore has expired. */
  waitingHeight: bigint({ mode: 'number' }),
  /** Progress of the reconciliation, in one line. */
  progress: text(),
  /** Listed transactions that are still to be read; null when all are read. */
  unread: bigint({ mode: 'number' }),
});

/** Rewards of trades that are confirmed but not finalized: shown, never claimable. The row is deleted when the trade is finalized (and booked in the ledger) or dropped. Volume rewards are sums instead, one row for each token and wallet. */
export const pendingRewards = pgTable('pending_rewards', {
  /** The trade; of a sum, minus the id of the token's address. */
  recordId: bigint({ mode: 'bigint' }).notNull(),
  wallet: byteText().notNull(),
  mint: byteText().notNull(),
  asset: text({ enum: PENDING_REWARDS_ASSET }).notNull(),
  amount: amount().notNull(),
  origin: text({ enum: PENDING_REWARDS_ORIGIN })
    .notNull()
    .default(sql`'referral'::text`),
});

/** Bought and sold amounts of a wallet and token. Lamports and token units. */
export const positionRows = pgTable('position_rows', {
  walletId: integer().notNull(),
  mintId: integer().notNull(),
  trades: bigint({ mode: 'number' }).notNull(),
  /** Bought minus sold. Negative when the wallet sold tokens that it received in other ways. */
  amount: sum().notNull(),
  paid: sum().notNull(),
  received: sum().notNull(),
  /** Token units sold. With `amount` it also says how many were bought. */
  sold: sum()
    .notNull()
    .default(sql`0`),
});

/** Positions with the texts of their addresses. */
export const positions = pgView('positions', {
  wallet: byteText().notNull(),
  mint: byteText().notNull(),
  amount: sum().notNull(),
  paid: sum().notNull(),
  received: sum().notNull(),
  trades: bigint({ mode: 'number' }).notNull(),
  walletId: integer().notNull(),
  mintId: integer().notNull(),
}).existing();

/** Every log record, once. */
export const records = pgView('records', {
  id: bigint({ mode: 'bigint' }).notNull(),
  signature: byteText().notNull(),
  outer: smallint().notNull(),
  inner: smallint().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  kind: text().notNull(),
  mint: byteText(),
  finalized: boolean().notNull(),
  raw: text(),
}).existing();

/** Claims found on chain that a recovered settlement paid. */
export const recoveredPayments = pgTable('recovered_payments', {
  settlementId: bigint({ mode: 'number' }).notNull(),
  /** Signature of the claim. */
  signature: byteText().notNull(),
  wallet: byteText().notNull(),
  sol: amount().notNull(),
  token: amount().notNull(),
});

/** Settlements found on chain, with the holders' parts that are still to be divided. */
export const recoveredSettlements = pgTable('recovered_settlements', {
  settlementId: bigint({ mode: 'number' }).notNull(),
  mint: byteText().notNull(),
  /** Slot of the transaction that paid the settlement. */
  slot: bigint({ mode: 'number' }).notNull(),
  /** The holders' parts: lamports and token units. */
  sol: amount().notNull(),
  token: amount().notNull(),
  /** The rest that is not credited or paid to a wallet yet. */
  solLeft: amount().notNull(),
  tokenLeft: amount().notNull(),
});

/** Referral rewards, one per trade. They survive a reindex, so that it credits nothing twice. */
export const referralRewardRows = pgTable('referral_reward_rows', {
  partnerId: bigint({ mode: 'number' }).notNull(),
  /** The user who traded. */
  userId: integer().notNull(),
  mintId: integer().notNull(),
  shareBps: integer().notNull(),
  outer: smallint().notNull(),
  inner: smallint().notNull(),
  signature: byteText().notNull(),
  /** Platform fee in lamports. */
  fee: amount().notNull(),
  /** Lamports credited. */
  reward: amount().notNull(),
});

/** Referral rewards with the texts of their addresses. */
export const referralRewards = pgView('referral_rewards', {
  signature: byteText().notNull(),
  outer: smallint().notNull(),
  inner: smallint().notNull(),
  partnerId: bigint({ mode: 'number' }).notNull(),
  user: byteText().notNull(),
  payoutWallet: byteText().notNull(),
  mint: byteText().notNull(),
  fee: amount().notNull(),
  shareBps: integer().notNull(),
  reward: amount().notNull(),
}).existing();

/** Messages that the service issued for users to sign. */
export const registrationNonces = pgTable('registration_nonces', {
  nonce: text().notNull(),
  partnerId: bigint({ mode: 'number' }).notNull(),
  message: text().notNull(),
  expiresAt: moment().notNull(),
  usedAt: moment(),
});

/** The credits of a settlement per wallet. They are booked once it is paid. */
export const settlementCredits = pgTable('settlement_credits', {
  settlementId: bigint({ mode: 'number' }).notNull(),
  wallet: byteText().notNull(),
  /** Token units held, summed over the samples. 0 for a creator who held none. */
  balance: sum().notNull(),
  /** Lamports credited. */
  sol: amount().notNull(),
  /** Token units credited. */
  token: amount().notNull(),
});

/** Weights of a token's holders while a settlement is being planned. */
export const settlementHolders = pgTable('settlement_holders', {
  settlementId: bigint({ mode: 'number' }).notNull(),
  wallet: byteText().notNull(),
  /** Token units in all accounts of the wallet, summed over the samples. */
  balance: sum().notNull(),
});

/** Time of the last pass over all storages, one row. */
export const settlementPasses = pgTable('settlement_passes', {
  id: smallint()
    .notNull()
    .default(sql`1`),
  passedAt: moment().notNull(),
});

/** Raw balances of a sample, some thousand token accounts per row. */
export const settlementSampleChunks = pgTable('settlement_sample_chunks', {
  sampleId: bigint({ mode: 'number' }).notNull(),
  chunk: integer().notNull(),
  wallets: text().array().notNull(),
  balances: numeric().array().notNull(),
});

/** Samples of a token's holders. A finished sample stays. Its balances are deleted when the settlement is planned. */
export const settlementSamples = pgTable('settlement_samples', {
  id: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('settlement_samples_id_seq'::regclass)`),
  settlementId: bigint({ mode: 'number' }).notNull(),
  /** Number of the part of the period, from 0. */
  index: integer().notNull(),
  /** Finalized slot of the balances; null while the sample is being read. */
  slot: bigint({ mode: 'number' }),
  /** Time of the request to the RPC node. */
  takenAt: moment().notNull(),
});

/** Seeds of running periods. Separate from the settlements, so that no response or log reveals a seed by accident. */
export const settlementSeeds = pgTable('settlement_seeds', {
  settlementId: bigint({ mode: 'number' }).notNull(),
  /** 32 bytes in hex. */
  seed: text().notNull(),
});

/** Settlements: the amounts taken from the two storages, and the parts that each amount is split into. Lamports and token units. */
export const settlements = pgTable('settlements', {
  id: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('settlements_id_seq'::regclass)`),
  mint: byteText().notNull(),
  /** `sampling`: its period runs and the holders are sampled several times. `planned`: parts and credits are fixed. `paid`: its transaction is finalized and the wallets are being credited. `done`: all wallets are credited. `failed`: its transaction failed and nothing moved. `abandoned`: its period ended with nothing to take. */
  state: text({ enum: SETTLEMENTS_STATE })
    .notNull()
    .default(sql`'sampling'::text`),
  /** Null when it receives nothing. */
  treasury: byteText(),
  lp: byteText(),
  creator: byteText().notNull(),
  sol: amount()
    .notNull()
    .default(sql`0`),
  solHolders: amount()
    .notNull()
    .default(sql`0`),
  solLp: amount()
    .notNull()
    .default(sql`0`),
  /** The creator's own part and the burn share. */
  solCreator: amount()
    .notNull()
    .default(sql`0`),
  /** The amount of the creator's part that is paid to the treasury and credited, because the creator has no account for it. */
  solCreatorCredited: amount()
    .notNull()
    .default(sql`0`),
  token: amount()
    .notNull()
    .default(sql`0`),
  tokenBurned: amount()
    .notNull()
    .default(sql`0`),
  tokenHolders: amount()
    .notNull()
    .default(sql`0`),
  tokenLp: amount()
    .notNull()
    .default(sql`0`),
  tokenCreator: amount()
    .notNull()
    .default(sql`0`),
  tokenCreatorCredited: amount()
    .notNull()
    .default(sql`0`),
  /** SHA-256 of the seed, in hex, public from the start of the period. Null when the holders have no part. */
  seedHash: text(),
  /** The seed in hex, which decides the times of the samples. Null until the period is over. */
  seed: text(),
  startedAt: moment(),
  /** Finalized slot of the storages' balances when the period began. */
  startedSlot: bigint({ mode: 'number' }),
  /** Length of the period in milliseconds. */
  periodMs: bigint({ mode: 'number' })
    .notNull()
    .default(sql`0`),
  /** Number of samples of the holders in the period. */
  samples: integer()
    .notNull()
    .default(sql`0`),
  /** Value of both storages in lamports when the period began. */
  value: sum()
    .notNull()
    .default(sql`0`),
  /** Whether the DEX owner pays for the creator's token account. */
  opensCreatorAccount: boolean()
    .notNull()
    .default(sql`false`),
  /** Finalized slot of the last sample; null when the holders have no part. */
  snapshotSlot: bigint({ mode: 'number' }),
  /** Number of wallets in any sample, and the token units they held, summed over all samples. */
  holders: integer()
    .notNull()
    .default(sql`0`),
  held: sum()
    .notNull()
    .default(sql`0`),
  /** Signature of the finalized transaction that paid the parts. */
  signature: byteText(),
  /** In state `paid`: the last wallet whose credit is booked, and the lamports booked so far. */
  creditedThrough: byteText(),
  solCredited: amount()
    .notNull()
    .default(sql`0`),
  /** Why it failed. */
  problem: text(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
  updatedAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Files in the store. A file that no token uses is removed a day after it was last stored. */
export const storedFiles = pgTable('stored_files', {
  /** SHA-256 of the content, in hex. */
  hash: text().notNull(),
  kind: text({ enum: STORED_FILES_KIND }).notNull(),
  bytes: integer().notNull(),
  storedAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** A row for each subject that waits; none for what was done, or was never tried. */
export const tasks = pgTable('tasks', {
  kind: text({ enum: TASKS_KIND }).notNull(),
  /** A token's address, `referrals`, or an endpoint and an event of webhooks. */
  subject: byteText().notNull(),
  /** Failed attempts in a row; 0 when it waits for an operator. */
  attempts: integer().notNull(),
  dueAt: moment().notNull(),
  /** Why it waits; null after an attempt that succeeded, until the index shows it. */
  problem: text(),
  since: moment()
    .notNull()
    .default(sql`now()`),
});

/** Contents of the JSON at a token's uri. It survives a reindex, so that it is not fetched twice. A token without a row is not fetched yet. */
export const tokenMetadata = pgTable('token_metadata', {
  mint: byteText().notNull(),
  uri: text().notNull(),
  /** URL of the image, or an empty text. */
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
  fetchedAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Names and symbols of tokens as keys that are equal for those that look the same: `n:` or `s:` and the folded text. */
export const tokenNames = pgTable('token_names', {
  key: byteText().notNull(),
  mint: byteText().notNull(),
  /** The rule and table that folded it. Keys of another version are made again. */
  version: text().notNull(),
});

/** Search terms of a token, in lower case: the symbol, and the name from the start of each of its words; after a `~`, both from each letter inside a word that two more follow. A search is a range of this key. */
export const tokenTerms = pgTable('token_terms', {
  term: byteText().notNull(),
  mint: byteText().notNull(),
});

/** Tokens created by the program. Shares are in basis points. */
export const tokens = pgTable('tokens', {
  mint: byteText().notNull(),
  recordId: bigint({ mode: 'bigint' }).notNull(),
  creator: byteText().notNull(),
  /** The curve account. */
  curve: byteText().notNull(),
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
});

/** Trades on the curves, which are log records, and in the pools of graduated tokens. All ids are of one sequence, and each partition has 10,000,000 of them (docs/decisions/trade-tables.md). */
export const tradeRows = pgTable('trade_rows', {
  id: bigint({ mode: 'bigint' }).notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  /** Unix seconds of the cluster's clock. */
  timestamp: bigint({ mode: 'number' }).notNull(),
  mintId: integer().notNull(),
  traderId: integer().notNull(),
  /** Index of the outer instruction. */
  outer: smallint().notNull(),
  /** Index of the inner instruction; −1 when the outer one made the trade. */
  inner: smallint().notNull(),
  isBuy: boolean().notNull(),
  /** Whether the trade bought the last tokens of the curve. */
  graduated: boolean().notNull(),
  /** Whether the trade happened in the pool of a graduated token, else on its curve. */
  inPool: boolean().notNull(),
  signature: byteText().notNull(),
  /** Lamports that the trader paid or received, including the fee. */
  solAmount: amount().notNull(),
  tokenAmount: amount().notNull(),
  /** The platform's or the pool's fee in lamports. */
  fee: amount().notNull(),
  /** Reserves of the curve or the pool after the trade. */
  virtualSol: amount().notNull(),
  virtualToken: amount().notNull(),
});

/** Trades with the texts of their addresses. */
export const trades = pgView('trades', {
  id: bigint({ mode: 'bigint' }).notNull(),
  venue: text().notNull(),
  signature: byteText().notNull(),
  outer: smallint().notNull(),
  inner: smallint().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  mint: byteText().notNull(),
  trader: byteText().notNull(),
  isBuy: boolean().notNull(),
  solAmount: amount().notNull(),
  tokenAmount: amount().notNull(),
  fee: amount().notNull(),
  virtualSol: amount().notNull(),
  virtualToken: amount().notNull(),
  graduated: boolean().notNull(),
  timestamp: bigint({ mode: 'number' }).notNull(),
  mintId: integer().notNull(),
  traderId: integer().notNull(),
}).existing();

/** A row with asset `SOL`, and one per claimed token, whose asset is its mint. */
export const treasury = pgTable('treasury', {
  asset: byteText().notNull(),
  /** Reserved by claims in progress, without what fees back. */
  reserved: sum()
    .notNull()
    .default(sql`0`),
  /** Lamports that token claims in progress take for network fees and rent. */
  costs: sum()
    .notNull()
    .default(sql`0`),
  /** Lamports of fees moved to the treasury. They back referral rewards first, then volume rewards. */
  referralFunded: sum()
    .notNull()
    .default(sql`0`),
  /** The referral rewards that claims have reserved, and those that were paid. */
  referralReserved: sum()
    .notNull()
    .default(sql`0`),
  referralSettled: sum()
    .notNull()
    .default(sql`0`),
  /** Lamports of these fees that only referral rewards may use: at most what partners are owed. Negative when rewards were paid that no fees backed. */
  referralCover: sum()
    .notNull()
    .default(sql`0`),
  /** The newest balance of which lamports were used that may be fees not booked yet. Fees of an earlier slot raise the cover only when another balance shows them. */
  spentSlot: bigint({ mode: 'number' })
    .notNull()
    .default(sql`0`),
  /** The newest slot with a payment. A balance of an older slot does not include it. */
  settledSlot: bigint({ mode: 'number' })
    .notNull()
    .default(sql`0`),
  /** The same of volume rewards, which have a cover of their own. */
  volumeReserved: sum()
    .notNull()
    .default(sql`0`),
  volumeSettled: sum()
    .notNull()
    .default(sql`0`),
  volumeCover: sum()
    .notNull()
    .default(sql`0`),
});

/** Fees moved to the treasury. */
export const treasuryFundings = pgTable('treasury_fundings', {
  signature: byteText().notNull(),
  origin: text({ enum: TREASURY_FUNDINGS_ORIGIN }).notNull(),
  /** Lamports. */
  amount: amount().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Records of a curve, and trades in pools, that a reorg can still drop. A final one has no row here. */
export const unfinalized = pgTable('unfinalized', {
  id: bigint({ mode: 'bigint' }).notNull(),
  venue: text({ enum: UNFINALIZED_VENUE }).notNull(),
});

/** Finalized transactions that no RPC node could return, or that this version could not decode. Indexing continues without them. */
export const unreadableTransactions = pgTable('unreadable_transactions', {
  signature: byteText().notNull(),
  slot: bigint({ mode: 'number' }).notNull(),
  /** Version of the message; null when unknown. */
  version: integer(),
  reason: text().notNull(),
  /** The transaction was read later and has records. Only a reindex can book them in the order of the chain. */
  hasRecords: boolean()
    .notNull()
    .default(sql`false`),
  /** Number of retries. */
  looks: integer()
    .notNull()
    .default(sql`0`),
  lookAgainAt: moment()
    .notNull()
    .default(sql`(now() + '00:01:00'::interval)`),
  seenAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Request signatures that must not be accepted again. */
export const usedSignatures = pgTable('used_signatures', {
  signature: byteText().notNull(),
  expiresAt: moment().notNull(),
});

/** CREATOR_SHARE_BPS, from each slot in which it changed. Never changed, so that a reindex comes to the same amounts. */
export const volumeRates = pgTable('volume_rates', {
  fromSlot: bigint({ mode: 'number' }).notNull(),
  shareBps: integer().notNull(),
});

/** What the final trades of a token come to for a wallet, and how much of it the ledger has credited. A reindex begins `accrued` again and credits nothing twice. */
export const volumeRewards = pgTable('volume_rewards', {
  mint: byteText().notNull(),
  wallet: byteText().notNull(),
  accrued: sum().notNull(),
  credited: sum().notNull(),
});

/** Events that an endpoint did not take within a day. A replay sends them again. */
export const webhookDeadLetters = pgTable('webhook_dead_letters', {
  endpointId: byteText().notNull(),
  eventId: byteText().notNull(),
  problem: text().notNull(),
  diedAt: moment().notNull(),
});

/** Servers that events are sent to. */
export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: byteText().notNull(),
  /** The partner whose events it gets; 0 for the operator's. */
  partnerId: bigint({ mode: 'number' }).notNull(),
  url: text().notNull(),
  /** The types of events that it gets; null for all. */
  types: text().array(),
  /** Events up to this position were delivered, are dead letters, or wait in `tasks`, alone or behind an event of their subject. Only the job that sends moves it. */
  cursor: bigint({ mode: 'number' }).notNull(),
  /** A replay that was asked for: the position to send from. The job that sends takes it over. */
  replayFrom: bigint({ mode: 'number' }),
  /** When it was added or replayed last. Each event is tried for a day from then on at least. */
  startedAt: moment().notNull(),
  /** When it answered 410. A replay enables it. */
  disabledAt: moment(),
  createdAt: moment()
    .notNull()
    .default(sql`now()`),
});

/** Outbox: written in the transaction that makes the event true, and kept for seven days. */
export const webhookEvents = pgTable('webhook_events', {
  /** In the order of insertion. */
  number: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('webhook_events_number_seq'::regclass)`),
  /** In the order of commits. The job that sends numbers the rows; null until then. */
  position: bigint({ mode: 'number' }),
  /** The `webhook-id`: a hash of what happened, so that a reindex or a restored database tells nothing twice. */
  id: byteText().notNull(),
  /** As that of endpoints. */
  partnerId: bigint({ mode: 'number' }).notNull(),
  /** The only endpoint that gets it: of a test. */
  endpointId: byteText(),
  type: text().notNull(),
  /** The wallet, claim or token. Events of one subject arrive in order. */
  subject: byteText().notNull(),
  /** JSON, as sent. */
  data: text().notNull(),
  at: moment()
    .notNull()
    .default(sql`now()`),
});

/** Secrets that sign. An endpoint has two while one replaces the other. */
export const webhookSecrets = pgTable('webhook_secrets', {
  endpointId: byteText().notNull(),
  secret: text().notNull(),
  /** Null for the newest secret. */
  expiresAt: moment(),
});
