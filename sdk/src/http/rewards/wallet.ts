// Wallets as the Rewards Claiming API knows them, and the headers that prove a request to be one's own.
import type { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { Buffer } from 'buffer';
import { encodeBase58 } from '../../base58.js';
import type { ApiRequest } from '../transport.js';

/** Any wallet: an adapter of a browser, or a keypair behind two functions. */
export interface RewardsWallet {
  readonly publicKey: PublicKey;
  /** Its ed25519 signature of the bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/** A wallet that can claim. */
export interface ClaimingWallet extends RewardsWallet {
  /** Adds its signature to those that are there. */
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/**
 * What the wallet signs: `bound`, the default, fits one request only; `timestamp` is shorter to read for a person, and anyone who
 * sees such a signature can read the wallet's rewards for five minutes.
 */
export type SignatureScheme = 'bound' | 'timestamp';

/** Signs requests. */
export class RequestSigner {
  #lastTimestamp = 0;

  constructor(
    private readonly scheme: SignatureScheme,
    private readonly now: () => number,
  ) {}

  /** The headers of a request. @param body its text @throws what the wallet throws */
  async headers(
    wallet: RewardsWallet,
    { method, path }: Pick<ApiRequest, 'method' | 'path'>,
    body: string,
  ): Promise<Record<string, string>> {
    const timestamp = String(this.#timestamp());
    const message =
      this.scheme === 'timestamp' ? timestamp : `${timestamp}\n${method}\n${path}\n${await sha256Hex(body)}`;
    const signature = await wallet.signMessage(new TextEncoder().encode(message));
    return {
      'X-Timestamp': timestamp,
      'X-Signature': encodeBase58(signature),
      ...(this.scheme === 'bound' ? { 'X-Signature-Scheme': 'bound' } : {}),
    };
  }

  /** Never the same twice: the service may accept a signature only once. */
  #timestamp(): number {
    this.#lastTimestamp = Math.max(this.now(), this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }
}

async function sha256Hex(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(hash).toString('hex');
}
