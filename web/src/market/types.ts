// Answers of the Market API, as the SDK reads them, and the events of its stream.
import type { Candles, MarketConfig as Config, TokenDetail, TokenSummary, Trade } from '@curvekit/sdk/market';

export type {
  Holder,
  Position,
  TokenDetail,
  TokenPage,
  TokenSummary,
  Trade,
  TradePage,
  Wallet,
} from '@curvekit/sdk/market';

/** The chain's name is Wallet Standard's. */
export type MarketConfig = Omit<Config, 'chain'> & { readonly chain: `solana:${string}` };
export type Candle = Candles['candles'][number];
export type Venue = TokenSummary['venue'];

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

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
