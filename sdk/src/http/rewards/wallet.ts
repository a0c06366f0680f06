// Wallets of the Rewards Claiming API, and the headers that authenticate a wallet's requests.
import type { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { Buffer } from 'buffer';
import { encodeBase58 } from '../../base58.js';
import type { ApiRequest } from '../transport.js';

/** Any wallet: a browser's wallet adapter, or a keypair behind two functions. */
export interface RewardsWallet {
  readonly publicKey: PublicKey;
  /** Its ed25519 signature of the bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/** A wallet that can claim. */
export interface ClaimingWallet extends RewardsWallet {
  /** Adds its signature and keeps the existing ones. */
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/**
 * The text that the wallet signs. `bound`, the default, is valid for one request only. `timestamp` is shorter for a
 * person to read, but anyone who sees such a signature can read the wallet's rewards for five minutes.
 */
export type SignatureScheme = 'bound' | 'timestamp';

/** Signs requests. */
export class RequestSigner {
  #lastTimestamp = 0;

  constructor(
    private readonly scheme: SignatureScheme,
    private readonly now: () => number,
  ) {}

  /** The headers of a request. @param body its text @throws the wallet's error */
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

  /** Never returns the same timestamp twice: the service may accept a signature only once. */
  #timestamp(): number {
    this.#lastTimestamp = Math.max(this.now(), this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }
}

async function sha256Hex(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(hash).toString('hex');
}
