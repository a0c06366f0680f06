// Options that trade() and launch() share: who signs, how the transaction is sent, and callbacks.
import type { Connection, Keypair, PublicKey, VersionedTransaction } from '../chain/types.js';
import type { Deployment } from '../accounts/deployment.js';
import { reading, type Reader } from '../rpc/reading.js';
import { requireInteger, requireU64 } from '../checks/keys.js';
import type { SendingRules, SendingSteps } from './rules.js';
import { requireMemory } from './unfinished.js';
import type { OptionNames } from '../checks/options.js';

/** A wallet that signs. The returned transaction must have the same effect. */
export interface SigningWallet {
  readonly publicKey: PublicKey;
  /** Adds the wallet's signature. */
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/** A wallet that signs and sends by itself, and returns the signature. */
export interface SendingWallet {
  readonly publicKey: PublicKey;
  /** Signs and sends. @returns the signature */
  sendTransaction(transaction: VersionedTransaction, connection: Connection): Promise<string>;
}

/** A keypair, or a wallet that asks its owner. If a wallet can both sign and send, it only signs and the SDK sends. */
export type TraderWallet = Keypair | SigningWallet | SendingWallet;

/** The build that a transaction is for, and how it is sent. */
export interface SendingRoute extends SendingRules, SendingSteps {
  /** The build to address. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
  /** Additional RPC nodes that the transaction is sent to. */
  readonly sendConnections?: readonly Connection[] | undefined;
  /** Sends instead of the RPC nodes, for example as a bundle. Called again every 2 s until the transaction is found. */
  readonly sender?: ((transaction: VersionedTransaction) => Promise<unknown>) | undefined;
}

/** The Connection that a trade reads with. */
export function readingFor(
  connection: Connection,
  { signal, readTimeoutMs }: Pick<SendingRules, 'signal' | 'readTimeoutMs'>,
): Reader {
  return reading(connection, { signal, timeoutMs: readTimeoutMs });
}

/** How a transaction is paid, sent and tracked. Errors that a callback throws are ignored. */
export interface SendingOptions extends SendingRoute {
  readonly wallet: TraderWallet;
}

/** Of `SendingOptions`, besides the rules and the steps. */
export const SENDING_OPTIONS = {
  wallet: true,
  deployment: true,
  sendConnections: true,
  sender: true,
} as const satisfies OptionNames<Omit<SendingOptions, keyof (SendingRules & SendingSteps)>>;

const LONGEST_STALL_TIMEOUT_MS = 3_600_000;

/** @throws InvalidArgumentError that names the option out of bounds */
export function requireRules(options: SendingRules): void {
  const { computeUnitPrice, highestComputeUnitPrice, stallTimeoutMs, readTimeoutMs, remember } = options;
  if (computeUnitPrice !== undefined) requireU64('computeUnitPrice', computeUnitPrice);
  if (highestComputeUnitPrice !== undefined) requireU64('highestComputeUnitPrice', highestComputeUnitPrice);
  if (stallTimeoutMs !== undefined)
    requireInteger('stallTimeoutMs', stallTimeoutMs, LONGEST_STALL_TIMEOUT_MS, 1);
  if (readTimeoutMs !== undefined)
    requireInteger('readTimeoutMs', readTimeoutMs, LONGEST_STALL_TIMEOUT_MS, 1);
  if (remember !== undefined) requireMemory(remember);
}
