// Proof that the wallet itself sent the request: its signature of a timestamp, or of the whole request.
import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { lt } from 'drizzle-orm';
import type { Database } from '../db/database.js';
import { usedSignatures } from '../db/schema/index.js';
import { isSmallOrder } from '../signatures/ed25519.js';
import { HttpProblem, invalid } from './problem.js';
import type { ErrorCase, RawRequest } from './route.js';
import { base58Bytes } from './schemas.js';
import type { Verifier } from '../signatures/verifier.js';

/** Allowed distance of a timestamp from now: into the past, and into the future. */
export const AGE_LIMIT_MS = 5 * 60_000;
export const SKEW_LIMIT_MS = 30_000;
/** Used signatures are stored this much longer than the age limit, because the clocks of instances differ. */
const MEMORY_MARGIN_MS = 10 * 60_000;

const TIMESTAMP = /^\d{1,15}$/;
const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** One message for every cause, so that it does not help an attacker. */
const REFUSED = 'Signature verification failed';

/** Security schemes of signed requests, by their names in the OpenAPI document. */
export const SIGNED = ['signature', 'timestamp'];
export const INVALID_SIGNATURE: ErrorCase = {
  status: 401,
  code: 'INVALID_SIGNATURE',
  description: 'The signature is missing, malformed, not by this wallet, or its timestamp is not of now.',
};
export const TOKEN_NOT_FOUND: ErrorCase = {
  status: 404,
  code: 'TOKEN_NOT_FOUND',
  description: 'There is no such token.',
};

export class WalletAuth {
  constructor(
    private readonly database: Database,
    private readonly now: () => number,
    private readonly verifier: Pick<Verifier, 'verify'>,
  ) {}

  /**
   * Checks that the wallet signed the request.
   *
   * @throws HttpProblem 400 when no wallet can have that address, 401 `INVALID_SIGNATURE` for every other error
   */
  async verify(request: RawRequest, address: string): Promise<void> {
    await this.#verified(request, address);
  }

  /** Like `verify`, but accepts each signature only once across all instances. */
  async verifyOnce(request: RawRequest, address: string): Promise<void> {
    const { signature, timestamp } = await this.#verified(request, address);
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

  async #verified(
    request: RawRequest,
    address: string,
  ): Promise<{ readonly signature: string; readonly timestamp: number }> {
    const key = base58Bytes(address, ADDRESS_BYTES)!;
    if (isSmallOrder(key)) throw noWallet();
    const signed = this.#signedBy(request);
    if (signed !== undefined && (await this.verifier.verify(key, signed.message, signed.bytes)))
      return signed;
    // Checked last, because it is slower than the signature verification, which always fails for a key off the curve.
    if (!PublicKey.isOnCurve(key)) throw noWallet();
    throw refused();
  }

  #signedBy(request: RawRequest) {
    const time = request.header('X-Timestamp') ?? '';
    const signature = request.header('X-Signature') ?? '';
    const timestamp = Number(time);
    const age = this.now() - timestamp;
    if (!TIMESTAMP.test(time) || age > AGE_LIMIT_MS || age < -SKEW_LIMIT_MS) return undefined;
    const bytes = base58Bytes(signature, SIGNATURE_BYTES);
    const message = signedMessage(request, time);
    return bytes === undefined || message === undefined
      ? undefined
      : { signature, bytes, message, timestamp };
  }
}

/** The message that the wallet signs. With the `bound` scheme it covers method, path and body. */
function signedMessage(request: RawRequest, time: string): Uint8Array | undefined {
  const scheme = request.header('X-Signature-Scheme');
  if (scheme === undefined) return Buffer.from(time, 'latin1');
  if (scheme !== 'bound') return undefined;
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  return Buffer.from(`${time}\n${request.method}\n${request.path}\n${bodyHash}`, 'utf8');
}

function refused(): HttpProblem {
  return new HttpProblem(401, 'INVALID_SIGNATURE', REFUSED);
}

function noWallet(): HttpProblem {
  return invalid([{ field: 'address', message: 'must be an address that a wallet can sign for' }]);
}
