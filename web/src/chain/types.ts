// Types shared by the page and its lazy chunk for the chain. Types only, so this file adds no code to the page.
import type { PoolMarket } from '@curvekit/sdk';
import type { RememberedOutcome, TradeResult, TransactionMemory } from '@curvekit/sdk/trade';

export type PoolState = PoolMarket['pool'];

/** The amounts of a trade, from a quote. */
export type TradeParams =
  | { readonly solToSpend: bigint; readonly minTokenToReceive: bigint }
  | { readonly tokenToSpend: bigint; readonly minSolToReceive: bigint };

/** The result of a trade. */
export type Traded = Pick<TradeResult, 'signature' | 'side' | 'solAmount' | 'tokenAmount'>;

/** Adds the wallet's signature to a serialized transaction. */
export type Sign = (transaction: Uint8Array) => Promise<Uint8Array>;

/** The store for an unfinished trade, so that its outcome can be found after the page was closed. */
export type Memory = TransactionMemory;
export type Outcome = RememberedOutcome;
