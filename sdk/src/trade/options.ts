// What trade() and launch() share: who signs, how to send, and what to hear on the way.
import type { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import { InvalidArgumentError } from '../errors.js';
import { requireAccountKey, requireInteger, requireU64 } from '../validation.js';

/** Slippage that is accepted unless another one is given, in basis points: 1 %. */
export const DEFAULT_SLIPPAGE_BPS = 100;

/** A wallet that signs. The transaction it returns must do the same. */
export interface SigningWallet {
  readonly publicKey: PublicKey;
  /** Adds the wallet's signature. */
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/** A wallet that signs and sends by itself, and tells the signature. */
export interface SendingWallet {
  readonly publicKey: PublicKey;
  /** Signs and sends. @returns the signature */
  sendTransaction(transaction: VersionedTransaction, connection: Connection): Promise<string>;
}

/** A keypair, or a wallet that asks its owner. One that can do both signs, and the SDK sends. */
export type TraderWallet = Keypair | SigningWallet | SendingWallet;

/** How a transaction is paid for, sent and followed. What a callback throws is ignored. */
export interface SendingOptions {
  readonly wallet: TraderWallet;
  /** The build to address; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
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
  /** RPC nodes that the transaction is sent to as well. */
  readonly sendConnections?: readonly Connection[] | undefined;
  /** Sends in place of the RPC nodes, for example as a bundle. Called again every 2 s until the transaction is found. */
  readonly sender?: ((transaction: VersionedTransaction) => Promise<unknown>) | undefined;
  /** How long to go on with a node that tells nothing new. 120,000 ms by default. */
  readonly stallTimeoutMs?: number | undefined;
  /** Told the signature before the sending. */
  readonly onSigned?: ((signature: string) => void) | undefined;
  /** Told when the first RPC node has taken the transaction. */
  readonly onSent?: ((signature: string) => void) | undefined;
  /** Told when the transaction has reached `commitment`. */
  readonly onConfirmed?: ((signature: string) => void) | undefined;
}

const LONGEST_STALL_TIMEOUT_MS = 3_600_000;

/** The wallet's key. @throws InvalidArgumentError that names the option out of bounds */
export function requireSending(options: SendingOptions): PublicKey {
  const { computeUnitPrice, highestComputeUnitPrice, stallTimeoutMs } = options;
  if (computeUnitPrice !== undefined) requireU64('computeUnitPrice', computeUnitPrice);
  if (highestComputeUnitPrice !== undefined) requireU64('highestComputeUnitPrice', highestComputeUnitPrice);
  if (stallTimeoutMs !== undefined)
    requireInteger('stallTimeoutMs', stallTimeoutMs, LONGEST_STALL_TIMEOUT_MS, 1);
  return requireWallet(options.wallet);
}

/** @throws InvalidArgumentError unless the wallet can sign */
function requireWallet(wallet: TraderWallet): PublicKey {
  const { publicKey, signTransaction, sendTransaction } = Object(wallet) as Partial<
    SigningWallet & SendingWallet
  >;
  const canSign = [signTransaction, sendTransaction].some((call) => typeof call === 'function');
  if (!isKeypair(wallet) && !canSign) {
    throw new InvalidArgumentError(
      'wallet',
      'must be a Keypair, or have publicKey and signTransaction or sendTransaction',
    );
  }
  return requireAccountKey('wallet.publicKey', publicKey as PublicKey);
}

export function isKeypair(wallet: TraderWallet): wallet is Keypair {
  return 'secretKey' in Object(wallet);
}

/** Calls back. The trade goes on whatever the callback does. */
export function tell(callback: ((signature: string) => void) | undefined, signature: string): void {
  try {
    callback?.(signature);
  } catch {
    // The money is on its way: the caller's display must not hide what becomes of it.
  }
}
