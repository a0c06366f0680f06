// How a transaction is paid for and followed: the options that name no Solana library.
import type { TransactionMemory } from './unfinished.js';

/** Slippage that is accepted unless another one is given, in basis points: 1 %. */
export const DEFAULT_SLIPPAGE_BPS = 100;

/** How a transaction is paid for and followed. */
export interface SendingRules {
  /** Priority fee in micro-lamports per compute unit. Estimated from recent fees when left out. */
  readonly computeUnitPrice?: bigint | undefined;
  /** The most that the estimate may be: 1,000,000 by default, one lamport per compute unit. */
  readonly highestComputeUnitPrice?: bigint | undefined;
  /** What to wait for. `confirmed` by default. */
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /**
   * Before the sending it stops everything, and nothing was sent. Afterwards it stops the waiting with an OutcomeUnknownError
   * that has the signature: the transaction may land. A wallet that sends is always waited for.
   */
  readonly signal?: AbortSignal | undefined;
  /** How long to go on with a node that tells nothing new. 120,000 ms by default. */
  readonly stallTimeoutMs?: number | undefined;
  /**
   * Where the transaction is remembered until its outcome is known. While it is not, no other one is made: a program that
   * crashed, or a page that was reloaded, trades nothing twice. See `lookUpRemembered`. Of a wallet that sends by itself the
   * transaction is remembered from the time when the wallet tells its signature.
   */
  readonly remember?: TransactionMemory | undefined;
}

/** The creator's own buy in a launch. */
export interface FirstBuyRules {
  /** Lamports that the creator buys for, fee included, before anyone else. */
  readonly firstBuy?: bigint | undefined;
  /** How much worse than quoted the first buy may be, in basis points. 100 by default: 1 %. */
  readonly slippageBps?: number | undefined;
  /** The least token units of the first buy, of a quote that was shown: in place of `slippageBps`. */
  readonly minTokenToReceive?: bigint | undefined;
}

/** Told on the way. What a callback throws is ignored. */
export interface SendingSteps<Signature extends string = string> {
  /** Told the signature before the sending. Told again when a trade is quoted and signed again. */
  readonly onSigned?: ((signature: Signature) => void) | undefined;
  /** Told when the first RPC node has taken the transaction. */
  readonly onSent?: ((signature: Signature) => void) | undefined;
  /** Told when the transaction has reached `commitment`. */
  readonly onConfirmed?: ((signature: Signature) => void) | undefined;
}

/** Calls back. The trade goes on whatever the callback does. */
export function tell(callback: ((signature: string) => void) | undefined, signature: string): void {
  try {
    callback?.(signature);
  } catch {
    // The money is on its way: the caller's display must not hide what becomes of it.
  }
}
