// Types of the Market API's answers from the SDK, and of the events of its stream.
import type { Candles, MarketConfig as Config } from '@curvekit/sdk/market';

export type {
  Holder,
  MarketEvent,
  Position,
  Receipt,
  TokenDetail,
  TokenPage,
  TokenSummary,
  TokenUpdate,
  Trade,
  TradePage,
  Wallet,
} from '@curvekit/sdk/market';

/** The chain name follows the Wallet Standard. */
export type MarketConfig = Omit<Config, 'chain'> & { readonly chain: `solana:${string}` };
export type Candle = Candles['candles'][number];

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
