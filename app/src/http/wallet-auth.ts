// Proof that the wallet itself sent the request: its signature of a timestamp, or of the whole request.
import { createHash, webcrypto } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { lt } from 'drizzle-orm';
import type { Database } from '../db/database.js';
import { usedSignatures } from '../db/schema/index.js';
import { isSmallOrder, verifySignature } from '../keys/ed25519.js';
import { signedForms } from '../keys/offchain-message.js';
import { HttpProblem, invalid } from './problem.js';
import type { RawRequest } from './raw-request.js';
import type { ErrorCase } from './route.js';
import { ADDRESS_BYTES, decodeBase58, SIGNATURE_BYTES } from '../base/base58.js';

/** Allowed distance of a timestamp from now: into the past, and into the future. */
export const AGE_LIMIT_MS = 5 * 60_000;
export const SKEW_LIMIT_MS = 30_000;
/** Used signatures are stored this much longer than the age limit, because the clocks of instances differ. */
const MEMORY_MARGIN_MS = 10 * 60_000;

const TIMESTAMP = /^\d{1,15}$/;
const { subtle } = webcrypto;
const HASHED_HERE_BYTES = 64 * 1_024;
/** Longer than any envelope of a request's text. */
const LONGEST_SIGNED_MESSAGE = 4_096;
/** One message for every cause but the clock, so that it does not help an attacker. */
const REFUSED = 'Signature verification failed';

/** Security schemes of signed requests, by their names in the OpenAPI document. */
export const SIGNED = ['signature', 'timestamp'];
export const INVALID_SIGNATURE: ErrorCase = {
  status: 401,
  code: 'INVALID_SIGNATURE',
  description: 'The signature is missing, malformed, not by this wallet, or its timestamp is not of now.',
};

/**
 * Whether a wallet can sign for an address. The keys of small order are on the curve, and anyone can sign for them. Text that
 * is not an address passes: the address's own schema refuses it.
 */
export function canSign(address: string): boolean {
  const key = decodeBase58(address, ADDRESS_BYTES);
  return key === undefined || (!isSmallOrder(key) && PublicKey.isOnCurve(key));
}

export interface Proof {
  readonly signature: string;
  readonly timestamp: number;
}

interface SignedRequest {
  readonly message: Uint8Array;
  /** What the wallet says it has signed; undefined when the client does not say it. */
  readonly told: Uint8Array | undefined;
  readonly bytes: Uint8Array;
}

export class WalletAuth {
  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /**
   * Checks that the wallet signed the request.
   *
   * @throws HttpProblem 400 when no wallet can have that address, 401 `INVALID_SIGNATURE` for every other error
   */
  async verify(request: RawRequest, address: string): Promise<Proof> {
    return this.#verified(request, address);
  }

  /**
   * Checks what the headers alone say: the timestamp is of now, and there is a signature.
   *
   * @throws HttpProblem 401
   */
  checkHeaders(request: RawRequest): void {
    if (this.#headersOf(request) === undefined) throw refused();
  }

  /** Like `verify`, but accepts each signature only once across all instances. */
  async verifyOnce(request: RawRequest, address: string): Promise<void> {
    await this.useOnce(await this.#verified(request, address));
  }

  /** Accepts a verified signature only once across all instances. @throws HttpProblem 401 */
  async useOnce({ signature, timestamp }: Proof): Promise<void> {
    const expiresAt = new Date(timestamp + AGE_LIMIT_MS + MEMORY_MARGIN_MS);
    const used = await this.database.queries
      .insert(usedSignatures)
      .values({ signature, expiresAt })
      .onConflictDoNothing()
      .returning({ signature: usedSignatures.signature });
    if (used.length === 0) throw refused();
  }

  /**
   * Deletes signatures that are older than the age limit. @param database the leader's view when a leader's job calls this
   */
  async forgetOld(database = this.database): Promise<void> {
    const now = new Date(this.now());
    await database.transaction((tx) => tx.delete(usedSignatures).where(lt(usedSignatures.expiresAt, now)));
  }

  async #verified(request: RawRequest, address: string): Promise<Proof> {
    const key = decodeBase58(address, ADDRESS_BYTES)!;
    if (isSmallOrder(key)) throw noWallet();
    const signed = await this.#signedBy(request);
    if (signed !== undefined && this.#isSigned(key, signed)) return signed;
    // Checked last, because it is slower than the signature verification, which always fails for a key off the curve.
    if (!PublicKey.isOnCurve(key)) throw noWallet();
    throw refused();
  }

  /** Tries the text alone first: other wallets than hardware wallets sign it as it is. */
  #isSigned(key: Uint8Array, { message, told, bytes }: SignedRequest): boolean {
    for (const form of signedForms(message, key, told)) if (verifySignature(key, form, bytes)) return true;
    return false;
  }

  async #signedBy(request: RawRequest): Promise<(Proof & SignedRequest) | undefined> {
    const headers = this.#headersOf(request);
    const message = headers && (await signedText(request, headers.time));
    const told = toldMessage(request);
    if (headers === undefined || message === undefined || told === 'malformed') return undefined;
    return { ...headers, message, told };
  }

  #headersOf(request: RawRequest) {
    const time = request.header('X-Timestamp') ?? '';
    const signature = request.header('X-Signature') ?? '';
    const timestamp = Number(time);
    if (!TIMESTAMP.test(time)) return undefined;
    const age = this.now() - timestamp;
    if (age > AGE_LIMIT_MS || age < -SKEW_LIMIT_MS) throw wrongTime(age);
    const bytes = decodeBase58(signature, SIGNATURE_BYTES);
    return bytes === undefined ? undefined : { signature, bytes, time, timestamp };
  }
}

/** The text that the wallet signs. With the `bound` scheme it covers method, path and body. */
async function signedText(request: RawRequest, time: string): Promise<Uint8Array | undefined> {
  const scheme = request.header('X-Signature-Scheme');
  if (scheme === undefined) return Buffer.from(time, 'latin1');
  if (scheme !== 'bound') return undefined;
  const bodyHash = await sha256(request.body);
  return Buffer.from(`${time}\n${request.method}\n${request.path}\n${bodyHash}`, 'utf8');
}

/** What the client says the wallet has signed, from its header. */
function toldMessage(request: RawRequest): Uint8Array | 'malformed' | undefined {
  const text = request.header('X-Signed-Message');
  if (text === undefined) return undefined;
  if (text.length > LONGEST_SIGNED_MESSAGE || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return 'malformed';
  return Buffer.from(text, 'base64');
}

/** In hex. A long body is hashed on another thread. */
async function sha256(body: Uint8Array): Promise<string> {
  if (body.length <= HASHED_HERE_BYTES) return createHash('sha256').update(body).digest('hex');
  return Buffer.from(await subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>)).toString('hex');
}

function refused(): HttpProblem {
  return new HttpProblem(401, 'INVALID_SIGNATURE', REFUSED);
}

/** The service's time is in every answer, so saying the difference tells nothing new. */
function wrongTime(age: number): HttpProblem {
  const seconds = Math.ceil(Math.abs(age) / 1_000);
  const [where, most] = age < 0 ? ['ahead of', SKEW_LIMIT_MS / 1_000] : ['behind', AGE_LIMIT_MS / 1_000];
  return new HttpProblem(
    401,
    'INVALID_SIGNATURE',
    `${REFUSED}: X-Timestamp is ${seconds} s ${where} the service's clock, and at most ${most} s are allowed; set the device's clock, or ` +
      "sign with the time in the answer's header Date",
  );
}

function noWallet(): HttpProblem {
  return invalid([{ field: 'address', message: 'must be an address that a wallet can sign for' }]);
}
