// The headers that authenticate a wallet's requests.
import { sha256Hex } from '../../platform/crypto.js';
import { encodeUtf8 } from '../../platform/utf8.js';
import { signatureHeaders } from '../signed-message.js';
import type { ApiRequest } from '../transport.js';
import type { MessageWallet } from '../wallets.js';

/**
 * The text that the wallet signs. `bound`, the default, is valid for one request only. `timestamp` is shorter for a
 * person to read, but anyone who sees such a signature can read the wallet's rewards for five minutes.
 */
export type SignatureScheme = 'bound' | 'timestamp';

/** Timestamps of requests that were signed in the same moment are not as far ahead. */
const LEAST_STEP_BACK_MS = 5_000;

export class RequestSigner {
  #lastTimestamp = 0;

  constructor(
    private readonly scheme: SignatureScheme,
    private readonly now: () => number,
  ) {}

  /** The headers of a request. @param body as sent @throws the wallet's error */
  async headers(
    wallet: MessageWallet,
    { method, path }: Pick<ApiRequest, 'method' | 'path'>,
    body: string | ArrayBuffer,
  ): Promise<Record<string, string>> {
    const timestamp = String(this.#timestamp());
    const bytes = typeof body === 'string' ? encodeUtf8(body) : new Uint8Array(body);
    const message =
      this.scheme === 'timestamp' ? timestamp : `${timestamp}\n${method}\n${path}\n${await sha256Hex(bytes)}`;
    const text = encodeUtf8(message);
    return {
      'X-Timestamp': timestamp,
      ...signatureHeaders(text, await wallet.signMessage(text)),
      ...(this.scheme === 'bound' ? { 'X-Signature-Scheme': 'bound' } : {}),
    };
  }

  /** Never returns the same timestamp twice: the service may accept a signature only once. */
  #timestamp(): number {
    const now = this.now();
    // After the clock was set back, earlier timestamps would be in the future.
    const isAhead = this.#lastTimestamp > now + LEAST_STEP_BACK_MS;
    this.#lastTimestamp = isAhead ? now : Math.max(now, this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }
}
