// Options for paying and tracking a transaction that do not depend on a Solana library.
import type { OptionNames } from '../checks/options.js';
import type { TransactionMemory } from './unfinished.js';

/** Default slippage in basis points: 1 %. */
export const DEFAULT_SLIPPAGE_BPS = 100;

/** How a transaction is paid and tracked. */
export interface SendingRules {
  /**
   * Priority fee in micro-lamports per compute unit. Default: an estimate from recent fees; 0 with a node that does not
   * answer `getRecentPrioritizationFees` within 5 s.
   */
  readonly computeUnitPrice?: bigint | undefined;
  /** Upper limit of the estimate. Default 1,000,000: one lamport per compute unit. */
  readonly highestComputeUnitPrice?: bigint | undefined;
  /** The commitment to wait for. Default `confirmed`. */
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /**
   * Before the transaction is sent, the signal stops everything and nothing is sent. Afterwards it stops the waiting
   * with an OutcomeUnknownError that contains the signature: the transaction may land. The SDK always waits for a
   * wallet that sends by itself.
   */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each read before the transaction is signed, its retries included. Default 30,000 ms. */
  readonly readTimeoutMs?: number | undefined;
  /** How long to continue with a node that reports nothing new. Default 120,000 ms. */
  readonly stallTimeoutMs?: number | undefined;
  /**
   * Stores the transaction until its outcome is known. Until then no other transaction is made, so a program that
   * crashed or a page that was reloaded trades nothing twice. See `lookUpRemembered`. If a wallet sends by itself, the
   * transaction is stored before the wallet is asked, without its signature.
   */
  readonly remember?: TransactionMemory | undefined;
}

export const SENDING_RULES = {
  computeUnitPrice: true,
  highestComputeUnitPrice: true,
  commitment: true,
  signal: true,
  readTimeoutMs: true,
  stallTimeoutMs: true,
  remember: true,
} as const satisfies OptionNames<SendingRules>;

/** The creator's own buy in a launch. */
export interface FirstBuyRules {
  /** Lamports of the creator's buy, fee included, before any other trade. */
  readonly firstBuy?: bigint | undefined;
  /** How much worse than quoted the first buy may be, in basis points. Default 100: 1 %. */
  readonly slippageBps?: number | undefined;
  /** The least token units of the first buy, from a quote that the user saw. It replaces `slippageBps`. */
  readonly minTokenToReceive?: bigint | undefined;
}

export const FIRST_BUY_RULES = {
  firstBuy: true,
  slippageBps: true,
  minTokenToReceive: true,
} as const satisfies OptionNames<FirstBuyRules>;

/** Callbacks during a trade. Errors that they throw are ignored. */
export interface SendingSteps<Signature extends string = string> {
  /** Called with the signature before the transaction is sent. Called again when a trade is quoted and signed again. */
  readonly onSigned?: ((signature: Signature) => void) | undefined;
  /** Called when the first RPC node has accepted the transaction. */
  readonly onSent?: ((signature: Signature) => void) | undefined;
  /** Called when the transaction has reached `commitment`. */
  readonly onConfirmed?: ((signature: Signature) => void) | undefined;
}

export const SENDING_STEPS = {
  onSigned: true,
  onSent: true,
  onConfirmed: true,
} as const satisfies OptionNames<SendingSteps>;

/** Calls a callback. The trade continues even if the callback throws. */
export function tell(callback: ((signature: string) => void) | undefined, signature: string): void {
  try {
    callback?.(signature);
  } catch {
    // The transaction is on its way, so an error in the caller's display must not hide its outcome.
  }
}
