// Answers of the Market API. Amounts are decimal strings of the smallest units, times are unix seconds.
export interface MarketConfig {
  readonly serviceName: string;
  /** As Wallet Standard names it: `solana:localnet`. */
  readonly chain: `solana:${string}`;
  readonly deployment: {
    readonly programId: string;
    readonly admin: string;
    readonly feeReceiver: string;
    readonly dexOwner: string;
    readonly graduation: { readonly programId: string; readonly treasury: string };
  };
  /** Null: `POST /rpc` of this origin. */
  readonly rpcUrl: string | null;
  readonly wsUrl: string | null;
  readonly platformFeeBps: number;
  readonly initialVirtualSol: string;
  readonly initialVirtualToken: string;
  readonly graduationVirtualToken: string;
  readonly supply: string;
  readonly solUsd: string | null;
  readonly faucet: boolean;
  readonly uploads: boolean;
  readonly explorer: string | null;
  readonly clusterTime: number;
}

export type TokenStatus = 'trading' | 'graduated' | 'migrated';
export type Venue = 'curve' | 'graduating' | 'pool' | 'unknown';

export interface TokenSummary {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  /** Path of this origin. */
  readonly image: string | null;
  readonly creator: string;
  readonly createdAt: number;
  readonly status: TokenStatus;
  readonly venue: Venue;
  readonly virtualSol: string;
  readonly virtualToken: string;
  readonly initialVirtualToken: string;
  /** Lamports for the whole supply. */
  readonly marketCap: string;
  readonly progressBps: number;
  readonly volume24h: string;
  readonly change24hBps: number | null;
  readonly trades: number;
  readonly lastTradeAt: number | null;
  readonly finalized: boolean;
}

export interface TokenLinks {
  readonly website: string | null;
  readonly x: string | null;
  readonly telegram: string | null;
  readonly discord: string | null;
}

export interface TokenDetail extends TokenSummary {
  readonly uri: string;
  readonly description: string | null;
  readonly links: TokenLinks;
  readonly afterMigrationFeeBps: number;
  readonly burnBps: number;
  readonly holdersBps: number;
  readonly lpBps: number;
  readonly migration: {
    readonly signature: string;
    readonly timestamp: number;
    readonly pool: string | null;
    readonly url: string | null;
  } | null;
}

export interface Trade {
  readonly id: string;
  readonly mint: string;
  readonly signature: string;
  readonly slot: number;
  readonly trader: string;
  readonly venue: 'curve' | 'pool';
  readonly isBuy: boolean;
  readonly solAmount: string;
  readonly tokenAmount: string;
  readonly fee: string;
  readonly virtualSol: string;
  readonly virtualToken: string;
  readonly graduated: boolean;
  readonly timestamp: number;
  readonly finalized: boolean;
}

/** Time, then open, high, low and close as market caps in lamports, volume in lamports, number of trades. */
export type Candle = readonly [
  time: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  trades: number,
];

export interface Holder {
  readonly wallet: string;
  readonly amount: string;
  readonly shareBps: number;
  readonly is: 'curve' | 'pool' | 'creator' | null;
}

export interface Position {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly image: string | null;
  readonly amount: string;
  readonly value: string;
  readonly paid: string;
  readonly received: string;
  readonly profit: string;
}

export interface WalletTokens {
  readonly tokens: readonly Position[];
  readonly created: readonly TokenSummary[];
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export type Sort = 'new' | 'marketCap' | 'volume24h' | 'progress' | 'lastTrade';

/** Fields of a summary that a trade changes. */
export type TokenUpdate = Pick<
  TokenSummary,
  | 'mint'
  | 'status'
  | 'venue'
  | 'virtualSol'
  | 'virtualToken'
  | 'marketCap'
  | 'progressBps'
  | 'volume24h'
  | 'trades'
  | 'lastTradeAt'
>;

export type MarketEvent =
  | { readonly type: 'token'; readonly data: TokenSummary }
  | { readonly type: 'trade'; readonly data: Trade }
  | { readonly type: 'update'; readonly data: TokenUpdate }
  | { readonly type: 'graduated'; readonly data: { readonly mint: string } }
  | {
      readonly type: 'migrated';
      readonly data: { readonly mint: string; readonly signature: string; readonly pool: string | null };
    }
  | { readonly type: 'metadata'; readonly data: { readonly mint: string } & Partial<TokenDetail> }
  | { readonly type: 'dropped'; readonly data: { readonly mint: string; readonly fromId: string } }
  | { readonly type: 'reset'; readonly data: unknown };
