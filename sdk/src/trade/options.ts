// What trade() and launch() share: who signs, how to send, and what to hear on the way.
import type { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import { requireInteger, requireU64 } from '../validation.js';
import type { SendingRules, SendingSteps } from './rules.js';
import { requireMemory } from './unfinished.js';

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

/** Which build a transaction is for, and which way it is sent. */
export interface SendingRoute extends SendingRules, SendingSteps {
  /** The build to address; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
  /** RPC nodes that the transaction is sent to as well. */
  readonly sendConnections?: readonly Connection[] | undefined;
  /** Sends in place of the RPC nodes, for example as a bundle. Called again every 2 s until the transaction is found. */
  readonly sender?: ((transaction: VersionedTransaction) => Promise<unknown>) | undefined;
}

/** How a transaction is paid for, sent and followed. What a callback throws is ignored. */
export interface SendingOptions extends SendingRoute {
  readonly wallet: TraderWallet;
}

const LONGEST_STALL_TIMEOUT_MS = 3_600_000;

/** @throws InvalidArgumentError that names the option out of bounds */
export function requireRules(options: SendingRules): void {
  const { computeUnitPrice, highestComputeUnitPrice, stallTimeoutMs, remember } = options;
  if (computeUnitPrice !== undefined) requireU64('computeUnitPrice', computeUnitPrice);
  if (highestComputeUnitPrice !== undefined) requireU64('highestComputeUnitPrice', highestComputeUnitPrice);
  if (stallTimeoutMs !== undefined)
    requireInteger('stallTimeoutMs', stallTimeoutMs, LONGEST_STALL_TIMEOUT_MS, 1);
  if (remember !== undefined) requireMemory(remember);
}
