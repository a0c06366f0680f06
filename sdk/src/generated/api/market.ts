// Generated from the service's OpenAPI document by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import {
  type Reader,
  readBoolean,
  readList,
  readNullable,
  readNumber,
  readObject,
  readOneOf,
  readString,
  readTuple,
} from '../../http/readers.js';

/** Codes of the errors of this API: `code` of an `ApiError`. */
export type MarketErrorCode =
  | 'EVENTS_ARCHIVED'
  | 'INTERNAL_ERROR'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'
  | 'TOKEN_NOT_FOUND'
  | 'TRADE_NOT_FOUND'
  | 'VALIDATION_ERROR';

/** What a page has to know of the service and its cluster */
export interface MarketConfig {
  readonly serviceName: string;
  /** As Wallet Standard names it */
  readonly chain: string;
  readonly deployment: {
    /** The program: 32 bytes in base58 */
    readonly programId: string;
    /** The admin: 32 bytes in base58 */
    readonly admin: string;
    /** The fee receiver: 32 bytes in base58 */
    readonly feeReceiver: string;
    /** The owner of the community storages: 32 bytes in base58 */
    readonly dexOwner: string;
    readonly graduation: {
      /** The graduation program: 32 bytes in base58 */
      readonly programId: string;
      /** The treasury of its fees: 32 bytes in base58 */
      readonly treasury: string;
    };
  };
  /** RPC node for the launchpad’s own page (`WEB_RPC_URL`). Other clients use that of `/v1/launchpad`. Null: `POST /rpc` here */
  readonly rpcUrl: string | null;
  readonly wsUrl: string | null;
  readonly platformFeeBps: number;
  /** The creator's share of the platform fee of each trade; 0 when there is none */
  readonly creatorShareBps: number;
  /** Lamports: with which a curve begins today */
  readonly initialVirtualSol: string;
  /** Token units */
  readonly initialVirtualToken: string;
  /** Token units at which a curve graduates */
  readonly graduationVirtualToken: string;
  /** Token units of every token */
  readonly supply: string;
  /** What a SOL is worth in USD; null when unknown */
  readonly solUsd: string | null;
  /** When it was worth that: Unix seconds as the source of the price says, else of the reading; null without a price */
  readonly solUsdAt: number | null;
  /** Seconds since then, at the time of the answer; null without a price */
  readonly solUsdAge: number | null;
  /** Who takes a sold-out curve away. `pool`: a program without a key, into a pool whose liquidity it burns. `key`: the holder of the fee receiver’s key */
  readonly graduation: 'pool' | 'key';
  readonly faucet: boolean;
  readonly uploads: boolean;
  /** URL of an explorer, in which `{path}` stands for `tx/SIGNATURE` or `address/ADDRESS` */
  readonly explorer: string | null;
  /** Now: Unix seconds of the cluster's clock */
  readonly clusterTime: number;
}

/** @throws ConnectionError unless it is one */
export const readMarketConfig: Reader<MarketConfig> = /* @__PURE__ */ readObject({
  serviceName: readString,
  chain: readString,
  deployment: readObject({
    programId: readString,
    admin: readString,
    feeReceiver: readString,
    dexOwner: readString,
    graduation: readObject({ programId: readString, treasury: readString }),
  }),
  rpcUrl: readNullable(readString),
  wsUrl: readNullable(readString),
  platformFeeBps: readNumber,
  creatorShareBps: readNumber,
  initialVirtualSol: readString,
  initialVirtualToken: readString,
  graduationVirtualToken: readString,
  supply: readString,
  solUsd: readNullable(readString),
  solUsdAt: readNullable(readNumber),
  solUsdAge: readNullable(readNumber),
  graduation: readOneOf('pool', 'key'),
  faucet: readBoolean,
  uploads: readBoolean,
  explorer: readNullable(readString),
  clusterTime: readNumber,
});

/** A token as lists show it */
export interface TokenSummary {
  /** The token's address: 32 bytes in base58 */
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  /** Path of the service's own copy */
  readonly image: string | null;
  /** The creator's wallet: 32 bytes in base58 */
  readonly creator: string;
  /** When it was created: Unix seconds of the cluster's clock */
  readonly createdAt: number;
  readonly status: 'trading' | 'graduated' | 'migrated';
  /** Where it trades. `graduating`: nowhere until its pool opens. `unknown`: the operator has moved it by hand */
  readonly venue: 'curve' | 'graduating' | 'pool' | 'unknown';
  /** Lamports: with `virtualToken` the price. The curve's virtual reserve, or the pool's */
  readonly virtualSol: string;
  /** Token units */
  readonly virtualToken: string;
  /** Token units, when the curve began */
  readonly initialVirtualToken: string;
  /** Lamports: the supply at the current price, rounded down */
  readonly marketCap: string;
  /** Towards graduation, in basis points */
  readonly progressBps: number;
  /** Lamports traded in the last 24 hours, to the minute */
  readonly volume24h: string;
  /** Change of the price in the last 24 hours in basis points, or since the creation; null without a trade */
  readonly change24hBps: number | null;
  /** All trades, on the curve and in the pool */
  readonly trades: number;
  /** The last trade: Unix seconds of the cluster's clock */
  readonly lastTradeAt: number | null;
  /** Whether no fork can take it back any more */
  readonly finalized: boolean;
}

/** @throws ConnectionError unless it is one */
export const readTokenSummary: Reader<TokenSummary> = /* @__PURE__ */ readObject({
  mint: readString,
  name: readString,
  symbol: readString,
  image: readNullable(readString),
  creator: readString,
  createdAt: readNumber,
  status: readOneOf('trading', 'graduated', 'migrated'),
  venue: readOneOf('curve', 'graduating', 'pool', 'unknown'),
  virtualSol: readString,
  virtualToken: readString,
  initialVirtualToken: readString,
  marketCap: readString,
  progressBps: readNumber,
  volume24h: readString,
  change24hBps: readNullable(readNumber),
  trades: readNumber,
  lastTradeAt: readNullable(readNumber),
  finalized: readBoolean,
});

/** A page of tokens */
export interface TokenPage {
  readonly items: readonly TokenSummary[];
  /** Cursor of the next page; null on the last. A page before it can have fewer items than the limit, or none */
  readonly next: string | null;
}

/** @throws ConnectionError unless it is one */
export const readTokenPage: Reader<TokenPage> = /* @__PURE__ */ readObject({
  items: readList(readTokenSummary),
  next: readNullable(readString),
});

/** What a token was worth in the last 24 hours */
export interface TokenPrices {
  /** The token's address: 32 bytes in base58 */
  readonly mint: string;
  /** Lamports: its market cap 5 minutes ago, to the minute */
  readonly marketCap5m: string;
  /** Lamports: its market cap an hour ago, to the minute */
  readonly marketCap1h: string;
  /** Lamports traded in the last 5 minutes, to the minute */
  readonly volume5m: string;
  /** Lamports traded in the last hour, to the minute */
  readonly volume1h: string;
  /** 24 market caps at equal distances, the last of now: over 24 hours, or since the creation */
  readonly spark: readonly string[];
}

/** @throws ConnectionError unless it is one */
export const readTokenPrices: Reader<TokenPrices> = /* @__PURE__ */ readObject({
  mint: readString,
  marketCap5m: readString,
  marketCap1h: readString,
  volume5m: readString,
  volume1h: readString,
  spark: readList(readString),
});

/** What tokens were worth in the last 24 hours */
export interface Prices {
  readonly items: readonly TokenPrices[];
}

/** @throws ConnectionError unless it is one */
export const readPrices: Reader<Prices> = /* @__PURE__ */ readObject({ items: readList(readTokenPrices) });

/** How many other tokens have a name or a symbol */
export interface SameNames {
  /** Tokens with this name, or one that looks the same; at most 100 */
  readonly names: number;
  /** Tokens with this symbol, or one that looks the same; at most 100 */
  readonly symbols: number;
}

/** @throws ConnectionError unless it is one */
export const readSameNames: Reader<SameNames> = /* @__PURE__ */ readObject({
  names: readNumber,
  symbols: readNumber,
});

/** Who earns the creator's share of the fees */
export interface FeeShare {
  /** The creator's share of the platform fee of each trade, in basis points; 0 when there is none */
  readonly bps: number;
  /** Who earns it */
  readonly kind: 'creator' | 'split' | 'traders';
  readonly wallets: readonly {
    /** A wallet that earns: 32 bytes in base58 */
    readonly wallet: string;
    /** Its part in basis points */
    readonly bps: number;
  }[];
  /** What the creator signed, for everybody to verify; null when it chose nothing */
  readonly choice: {
    /** It counts for trades of later slots */
    readonly slot: number;
    readonly message: string;
    /** Base64 of the signed bytes: the message, or an envelope with it */
    readonly signed: string;
    /** The creator's signature of them: 64 bytes in base58 */
    readonly signature: string;
  } | null;
}

/** @throws ConnectionError unless it is one */
export const readFeeShare: Reader<FeeShare> = /* @__PURE__ */ readObject({
  bps: readNumber,
  kind: readOneOf('creator', 'split', 'traders'),
  wallets: readList(readObject({ wallet: readString, bps: readNumber })),
  choice: readNullable(
    readObject({ slot: readNumber, message: readString, signed: readString, signature: readString }),
  ),
});

/** A token as its own page shows it */
export interface TokenDetail {
  /** The token's address: 32 bytes in base58 */
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  /** Path of the service's own copy */
  readonly image: string | null;
  /** The creator's wallet: 32 bytes in base58 */
  readonly creator: string;
  /** When it was created: Unix seconds of the cluster's clock */
  readonly createdAt: number;
  readonly status: 'trading' | 'graduated' | 'migrated';
  /** Where it trades. `graduating`: nowhere until its pool opens. `unknown`: the operator has moved it by hand */
  readonly venue: 'curve' | 'graduating' | 'pool' | 'unknown';
  /** Lamports: with `virtualToken` the price. The curve's virtual reserve, or the pool's */
  readonly virtualSol: string;
  /** Token units */
  readonly virtualToken: string;
  /** Token units, when the curve began */
  readonly initialVirtualToken: string;
  /** Lamports: the supply at the current price, rounded down */
  readonly marketCap: string;
  /** Towards graduation, in basis points */
  readonly progressBps: number;
  /** Lamports traded in the last 24 hours, to the minute */
  readonly volume24h: string;
  /** Change of the price in the last 24 hours in basis points, or since the creation; null without a trade */
  readonly change24hBps: number | null;
  /** All trades, on the curve and in the pool */
  readonly trades: number;
  /** The last trade: Unix seconds of the cluster's clock */
  readonly lastTradeAt: number | null;
  /** Whether no fork can take it back any more */
  readonly finalized: boolean;
  /** Of the token's metadata, as its creator gave it */
  readonly uri: string;
  readonly description: string | null;
  /** The creator's own claims */
  readonly links: {
    readonly website: string | null;
    readonly x: string | null;
    readonly telegram: string | null;
    readonly discord: string | null;
  };
  /** For the creator: what became of the token's uri */
  readonly metadata: {
    /** Whether the service has tried to read the uri */
    readonly fetched: boolean;
    /** Why the document, its image or the copy is missing */
    readonly problem: string | null;
    /** When the service fetches it again: Unix seconds of the service's clock; null when nothing is missing */
    readonly retryAt: number | null;
  };
  readonly same: SameNames;
  readonly afterMigrationFeeBps: number;
  readonly burnBps: number;
  readonly holdersBps: number;
  readonly lpBps: number;
  /** Lamports of platform fees so far */
  readonly fees: string;
  /** Token units that the creator has bought, on the curve and in the pool */
  readonly creatorBought: string;
  /** Token units that the creator has sold, on the curve and in the pool */
  readonly creatorSold: string;
  /** Token units that anybody has bought on the curve in the slot of the token's creation, the creator's first buy included */
  readonly launchSlotBought: string;
  readonly feeShare: FeeShare;
  readonly migration: {
    /** The transaction: 64 bytes in base58 */
    readonly signature: string;
    /** When: Unix seconds of the cluster's clock */
    readonly timestamp: number;
    /** Address of the pool; null when the chain does not say it */
    readonly pool: string | null;
    /** Page of the AMM where people trade the pool; on mainnet */
    readonly url: string | null;
  } | null;
}

/** @throws ConnectionError unless it is one */
export const readTokenDetail: Reader<TokenDetail> = /* @__PURE__ */ readObject({
  mint: readString,
  name: readString,
  symbol: readString,
  image: readNullable(readString),
  creator: readString,
  createdAt: readNumber,
  status: readOneOf('trading', 'graduated', 'migrated'),
  venue: readOneOf('curve', 'graduating', 'pool', 'unknown'),
  virtualSol: readString,
  virtualToken: readString,
  initialVirtualToken: readString,
  marketCap: readString,
  progressBps: readNumber,
  volume24h: readString,
  change24hBps: readNullable(readNumber),
  trades: readNumber,
  lastTradeAt: readNullable(readNumber),
  finalized: readBoolean,
  uri: readString,
  description: readNullable(readString),
  links: readObject({
    website: readNullable(readString),
    x: readNullable(readString),
    telegram: readNullable(readString),
    discord: readNullable(readString),
  }),
  metadata: readObject({
    fetched: readBoolean,
    problem: readNullable(readString),
    retryAt: readNullable(readNumber),
  }),
  same: readSameNames,
  afterMigrationFeeBps: readNumber,
  burnBps: readNumber,
  holdersBps: readNumber,
  lpBps: readNumber,
  fees: readString,
  creatorBought: readString,
  creatorSold: readString,
  launchSlotBought: readString,
  feeShare: readFeeShare,
  migration: readNullable(
    readObject({
      signature: readString,
      timestamp: readNumber,
      pool: readNullable(readString),
      url: readNullable(readString),
    }),
  ),
});

/** A trade on the curve or in the pool */
export interface Trade {
  /** Grows in the order of the chain */
  readonly id: string;
  /** The token's address: 32 bytes in base58 */
  readonly mint: string;
  /** The transaction: 64 bytes in base58 */
  readonly signature: string;
  /** Of the transaction */
  readonly slot: number;
  /** The trader's wallet: 32 bytes in base58 */
  readonly trader: string;
  readonly venue: 'curve' | 'pool';
  readonly isBuy: boolean;
  /** Lamports that the trader paid or received, fees and all */
  readonly solAmount: string;
  /** Token units */
  readonly tokenAmount: string;
  /** Lamports of fee: the platform’s, or the pool’s */
  readonly fee: string;
  /** Lamports: the reserve after the trade */
  readonly virtualSol: string;
  /** Token units: the reserve after the trade */
  readonly virtualToken: string;
  /** Whether it took the last tokens of the curve */
  readonly graduated: boolean;
  /** When: Unix seconds of the cluster's clock */
  readonly timestamp: number;
  /** Whether no fork can take it back any more */
  readonly finalized: boolean;
}

/** @throws ConnectionError unless it is one */
export const readTrade: Reader<Trade> = /* @__PURE__ */ readObject({
  id: readString,
  mint: readString,
  signature: readString,
  slot: readNumber,
  trader: readString,
  venue: readOneOf('curve', 'pool'),
  isBuy: readBoolean,
  solAmount: readString,
  tokenAmount: readString,
  fee: readString,
  virtualSol: readString,
  virtualToken: readString,
  graduated: readBoolean,
  timestamp: readNumber,
  finalized: readBoolean,
});

/** A page of trades */
export interface TradePage {
  readonly items: readonly Trade[];
  /** Cursor of the next page; null on the last. A page before it can have fewer items than the limit, or none */
  readonly next: string | null;
}

/** @throws ConnectionError unless it is one */
export const readTradePage: Reader<TradePage> = /* @__PURE__ */ readObject({
  items: readList(readTrade),
  next: readNullable(readString),
});

/** The trades of one transaction, in their order */
export interface Receipt {
  readonly items: readonly {
    readonly trade: Trade;
    /** Among the trades of its token in its slot, from 1 */
    readonly place: number;
    /** How many trades of its token are in its slot */
    readonly of: number;
    /** The trades of its token right before it and right after it, if they are in its slot */
    readonly beside: readonly Trade[];
  }[];
}

/** @throws ConnectionError unless it is one */
export const readReceipt: Reader<Receipt> = /* @__PURE__ */ readObject({
  items: readList(
    readObject({ trade: readTrade, place: readNumber, of: readNumber, beside: readList(readTrade) }),
  ),
});

/** Prices of a token by time */
export interface Candles {
  /** Seconds */
  readonly interval: number;
  /** Oldest first, the newest of them. Those without a trade are left out; each opens where the one before closed */
  readonly candles: readonly (readonly [number, string, string, string, string, string, number])[];
}

/** @throws ConnectionError unless it is one */
export const readCandles: Reader<Candles> = /* @__PURE__ */ readObject({
  interval: readNumber,
  candles: readList(
    readTuple(readNumber, readString, readString, readString, readString, readString, readNumber),
  ),
});

/** A wallet and what it holds of a token */
export interface Holder {
  /** The owner: 32 bytes in base58 */
  readonly wallet: string;
  /** Token units, in all its accounts */
  readonly amount: string;
  /** Of all that there are, in basis points, rounded down */
  readonly shareBps: number;
  /** `curve`: not sold yet. `pool`: what the pool trades */
  readonly is: 'curve' | 'pool' | 'creator' | 'operator' | null;
}

/** @throws ConnectionError unless it is one */
export const readHolder: Reader<Holder> = /* @__PURE__ */ readObject({
  wallet: readString,
  amount: readString,
  shareBps: readNumber,
  is: readOneOf('curve', 'pool', 'creator', 'operator', null),
});

/** The largest holders of a token, as the node tells */
export interface Holders {
  readonly items: readonly Holder[];
  /** The same as `people` */
  readonly total: number;
  /** Wallets that hold any, without the curve and the pool */
  readonly people: number;
  /** As of which they were read */
  readonly slot: number;
}

/** @throws ConnectionError unless it is one */
export const readHolders: Reader<Holders> = /* @__PURE__ */ readObject({
  items: readList(readHolder),
  total: readNumber,
  people: readNumber,
  slot: readNumber,
});

/** What a wallet holds of a token, and what it paid and got for it */
export interface Position {
  /** The token's address: 32 bytes in base58 */
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly image: string | null;
  readonly venue: 'curve' | 'graduating' | 'pool' | 'unknown';
  /** Token units that the wallet holds on chain; null when the node does not answer */
  readonly amount: string | null;
  /** Token units bought less those sold */
  readonly traded: string;
  /** Token units that came without a trade, or that left without one when negative. Their cost is unknown and counts as 0. Null when the node does not answer */
  readonly untraded: string | null;
  /** Lamports that a sale of all pays now, after fees; null while the token does not trade, and when the node does not answer */
  readonly value: string | null;
  /** Lamports, fees and all */
  readonly paid: string;
  /** Lamports, after fees */
  readonly received: string;
  /** Lamports: value and received less paid; null without a value */
  readonly profit: string | null;
}

/** @throws ConnectionError unless it is one */
export const readPosition: Reader<Position> = /* @__PURE__ */ readObject({
  mint: readString,
  name: readString,
  symbol: readString,
  image: readNullable(readString),
  venue: readOneOf('curve', 'graduating', 'pool', 'unknown'),
  amount: readNullable(readString),
  traded: readString,
  untraded: readNullable(readString),
  value: readNullable(readString),
  paid: readString,
  received: readString,
  profit: readNullable(readString),
});

/** What a wallet holds and has created */
export interface Wallet {
  /** At most 200, those worth the most first */
  readonly tokens: readonly Position[];
  /** The newest 100 */
  readonly created: readonly TokenSummary[];
}

/** @throws ConnectionError unless it is one */
export const readWallet: Reader<Wallet> = /* @__PURE__ */ readObject({
  tokens: readList(readPosition),
  created: readList(readTokenSummary),
});

/** What happened on the curves in a day. Trades in pools are not counted */
export interface DayTotals {
  /** Lamports that traders paid and received, fees and all */
  readonly volume: string;
  /** Lamports of platform fees */
  readonly fees: string;
  /** Lamports of these that go to the fee receiver, which pays rewards of referrals from them: all */
  readonly revenue: string;
  /** Lamports in the curves at the end of the day */
  readonly tvl: string;
  readonly trades: number;
  readonly tokensLaunched: number;
  /** Curves that sold out */
  readonly tokensGraduated: number;
}

/** @throws ConnectionError unless it is one */
export const readDayTotals: Reader<DayTotals> = /* @__PURE__ */ readObject({
  volume: readString,
  fees: readString,
  revenue: readString,
  tvl: readString,
  trades: readNumber,
  tokensLaunched: readNumber,
  tokensGraduated: readNumber,
});
