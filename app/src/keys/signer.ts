import type { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { inTrace } from '../base/tracing/spans.js';

/** Signs with one key. The key is in this process, in another process, or in a cloud's key service. */
export interface Signer {
  readonly publicKey: PublicKey;
  /** For people: where the key is. */
  readonly place: string;
  /** How often it failed, by reason. */
  readonly failures: Readonly<Record<SignerFailure, number>>;
  /** The ed25519 signature of a transaction's message, 64 bytes. @throws SignerError */
  sign(message: Uint8Array): Promise<Uint8Array>;
  /** Asks whether the key is there. @throws SignerError */
  check(): Promise<void>;
  /** Asks a signer that stores and pays claims itself for one, and gives its answer. It signs no claims otherwise. @throws SignerError */
  readonly claim?: (request: object) => Promise<Readonly<Record<string, unknown>>>;
}

/** `wrong`: it has another key, or signed something else. */
export const SIGNER_FAILURES = ['timeout', 'unreachable', 'refused', 'wrong'] as const;
export type SignerFailure = (typeof SIGNER_FAILURES)[number];

/** A signer did not sign. The message names it, and says what to do. */
export class SignerError extends Error {
  override readonly name = 'SignerError';

  constructor(
    readonly failure: SignerFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Adds the signatures of these signers. @throws SignerError */
export async function signTransaction(
  transaction: VersionedTransaction,
  signers: readonly Signer[],
): Promise<void> {
  const message = transaction.message.serialize();
  const signatures = await inTrace('sign', {}, () =>
    Promise.all(signers.map((signer) => signer.sign(message))),
  );
  for (const [index, { publicKey }] of signers.entries())
    transaction.addSignature(publicKey, signatures[index]!);
}
