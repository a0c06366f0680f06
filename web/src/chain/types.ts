// Types shared by the page and its lazy chunk for the chain. Types only, so this file adds no code to the page.
import type { Trade } from '@curvekit/sdk/market';
import type { RememberedOutcome, TradeResult, TransactionMemory } from '@curvekit/sdk/kit/trade';
import type { SignedMessage } from '@curvekit/sdk/rewards';

export type { PoolState } from '@curvekit/sdk/quotes';

/** The amounts of a trade, from a quote. */
export type TradeParams =
  | { readonly solToSpend: bigint; readonly minTokenToReceive: bigint }
  | { readonly tokenToSpend: bigint; readonly minSolToReceive: bigint };

/** The result of a trade. */
export type Traded = Pick<TradeResult, 'signature' | 'side' | 'solAmount' | 'tokenAmount'> & {
  /** As the Market API will list it. Undefined when the transaction does not show the reserves after it. */
  readonly shown: Trade | undefined;
};

export interface Sign {
  /** Adds the wallet's signature to a serialized transaction. */
  (transaction: Uint8Array): Promise<Uint8Array>;
  /** The wallet also sends the transaction, and the result is the signature alone. */
  readonly sends?: boolean | undefined;
}

/** The wallet's signature of a text. A hardware wallet signs an envelope with the text, and returns it. */
export type SignMessage = (message: Uint8Array) => Promise<SignedMessage>;

/** The store for an unfinished trade, so that its outcome can be found after the page was closed. */
export type Memory = TransactionMemory;
export type Outcome = RememberedOutcome;
