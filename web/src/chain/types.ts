// What the page and its chunk for the chain tell each other. Types only: this file weighs nothing.
import type { PoolMarket } from '@curvekit/sdk';

export type PoolState = PoolMarket['pool'];

export type TradeParams =
  | { readonly side: 'buy'; readonly solToSpend: bigint; readonly minTokenToReceive: bigint }
  | { readonly side: 'sell'; readonly tokenToSpend: bigint; readonly minSolToReceive: bigint };

/** Adds the wallet's signature to a serialized transaction. */
export type Sign = (transaction: Uint8Array) => Promise<Uint8Array>;

/** A signed transaction whose outcome matters even when the page is closed meanwhile. */
export interface Pending {
  readonly signature: string;
  readonly lastValidBlockHeight: number;
}

export interface Steps {
  readonly onSigning: () => void;
  /** It is signed, and sent next: keep it. */
  readonly onSending: (pending: Pending) => void;
}

export type Outcome = 'pending' | 'succeeded' | 'failed' | 'expired';
