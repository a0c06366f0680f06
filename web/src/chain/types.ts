// What the page and its chunk for the chain tell each other. Types only: this file weighs nothing.
import type { PoolMarket } from '@curvekit/sdk';
import type { RememberedOutcome, TradeResult, TransactionMemory } from '@curvekit/sdk/trade';

export type PoolState = PoolMarket['pool'];

/** What a quote asks of the chain. */
export type TradeParams =
  | { readonly solToSpend: bigint; readonly minTokenToReceive: bigint }
  | { readonly tokenToSpend: bigint; readonly minSolToReceive: bigint };

/** What the trade did. */
export type Traded = Pick<TradeResult, 'signature' | 'side' | 'solAmount' | 'tokenAmount'>;

/** Adds the wallet's signature to a serialized transaction. */
export type Sign = (transaction: Uint8Array) => Promise<Uint8Array>;

/** Where a trade is kept whose outcome matters even when the page is closed meanwhile. */
export type Memory = TransactionMemory;
export type Outcome = RememberedOutcome;
