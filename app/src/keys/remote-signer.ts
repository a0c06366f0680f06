// A key in another process or in a cloud. Its answers are not trusted: a signature counts only if it is the key's over the message.
import { PublicKey } from '@solana/web3.js';
import { TimeoutError } from '@curvekit/sdk';
import { callWithin } from '../base/call-within.js';
import { verifySignature } from './ed25519.js';
import { SignerError, type Signer, type SignerFailure } from './signer.js';

/**
 * A service that holds keys. What it throws, unless it is a SignerError, means that it could not be reached. Each call ends, with its
 * connection, when its signal aborts.
 */
export interface KeyService {
  /** For people, such as `the signer at /run/curvekit/signer.sock`. */
  readonly place: string;
  /** What to look at when it does not answer. */
  readonly remedy: string;
  /** @returns 64 bytes */
  sign(message: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** The public key that it has, 32 bytes; undefined when it lacks the key. */
  publicKey(signal: AbortSignal): Promise<Uint8Array | undefined>;
  claim?(request: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

/** Shorter than what a step of a payment waits for the RPC node. */
const TIMEOUT_MS = 5_000;
/** A claim asks the RPC node and the database. */
const CLAIM_TIMEOUT_MS = 20_000;

/** @param publicKey the key that the operator expects */
export function remoteSigner(publicKey: PublicKey, service: KeyService, timeoutMs = TIMEOUT_MS): Signer {
  const { place, remedy } = service;
  const address = publicKey.toBase58();
  const failures: Record<SignerFailure, number> = { timeout: 0, unreachable: 0, refused: 0, wrong: 0 };

  async function ask<T>(call: (signal: AbortSignal) => Promise<T>, limitMs = timeoutMs): Promise<T> {
    try {
      return await callWithin({ what: place, limitMs }, call);
    } catch (cause) {
      throw errorOf(cause);
    }
  }

  function errorOf(cause: unknown): SignerError {
    const error =
      cause instanceof SignerError
        ? cause
        : cause instanceof TimeoutError
          ? new SignerError('timeout', `${cause.message}: ${remedy}`, { cause })
          : new SignerError('unreachable', `${place} cannot be reached (${reasonOf(cause)}): ${remedy}`, {
              cause,
            });
    failures[error.failure] += 1;
    return error;
  }

  return {
    publicKey,
    place,
    failures,
    ...(service.claim !== undefined && {
      claim: (request) => ask((signal) => service.claim!(request, signal), CLAIM_TIMEOUT_MS),
    }),
    async sign(message) {
      const signature = await ask((signal) => service.sign(message, signal));
      if (verifySignature(publicKey.toBytes(), message, signature)) return signature;
      throw errorOf(
        new SignerError(
          'wrong',
          `${place} returned what is no signature of ${address} over the transaction; nothing was sent. Check which key it has`,
        ),
      );
    },
    async check() {
      const bytes = await ask((signal) => service.publicKey(signal));
      const found = bytes && new PublicKey(bytes);
      if (found?.equals(publicKey) === true) return;
      const has = found === undefined ? 'does not have it' : `has ${found.toBase58()}`;
      throw errorOf(
        new SignerError(
          'wrong',
          `${place} must have the key ${address} and ${has}: correct ?address= or the key's name`,
        ),
      );
    },
  };
}

function reasonOf(cause: unknown): string {
  const { code, name, message } = cause as NodeJS.ErrnoException;
  return code ?? (name === 'Error' || name === undefined ? String(message) : name);
}
