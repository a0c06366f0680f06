// Public answers: concurrent requests for the same thing share one answer. It is compressed once.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { toJson } from './json.js';

/** How long an answer is reused. It only has to be longer than the time to build an answer. */
const KEPT_MS = 250;
/** Limits of each route's cache. The oldest answer is dropped first. */
const MOST_BYTES = 4 * 1_048_576;
const MOST_ANSWERS = 2_000;
/** An answer that nobody has asked for since is dropped, even if its version is the same. */
const LONGEST_MS = 60_000;
/** What an answer takes beside its bytes and its key. */
const ENTRY_BYTES = 512;

/** A shorter answer fits into one packet without compression. */
const LEAST_COMPRESSED_BYTES = 1_400;

interface Answer {
  readonly bytes: Buffer;
  /** Undefined for a short answer. */
  readonly compressed: Buffer | undefined;
  /** Hash of the content. The compressed answer has a different tag, because an ETag identifies exact bytes. */
  readonly hash: string;
  /** Version of the sources at the time it was built. */
  readonly version: string | undefined;
  /** The answer is at least as new as this time. */
  asOf: number;
}

export interface AnswerMaker {
  /** Builds the body. Errors are not cached. */
  readonly make: () => Promise<unknown>;
  /**
   * A version that changes with everything the body is built from. While it is unchanged, the body is not rebuilt.
   * Undefined when there is no version.
   */
  readonly version?: (() => Promise<string | undefined>) | undefined;
}

const compress = promisify(gzip);

/** Cache of answers by their key: the path, and the query parameters that the route has. */
export class AnswerCache {
  readonly #kept = new Map<string, Answer>();
  readonly #making = new Map<string, Promise<Answer>>();
  #bytes = 0;

  /** Sends the answer, or 304 when the client has it already. */
  async send(
    request: Request,
    response: Response,
    cacheControl: string,
    { key, ...maker }: AnswerMaker & { readonly key: string },
  ): Promise<void> {
    const { bytes, compressed, hash } = await this.#answer(key, request, maker);
    const isCompressed = compressed !== undefined && request.acceptsEncodings('gzip') === 'gzip';
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('ETag', isCompressed ? `"${hash}${COMPRESSED_SUFFIX}"` : `"${hash}"`);
    if (compressed !== undefined) response.vary('Accept-Encoding');
    if (isNamed(request.headers['if-none-match'], hash)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    const sent = isCompressed ? compressed : bytes;
    response.statusCode = 200;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', sent.length);
    response.end(sent);
  }

  get size(): number {
    return this.#kept.size;
  }

  #answer(key: string, { headers }: Request, maker: AnswerMaker): Promise<Answer> | Answer {
    const kept = this.#kept.get(key);
    // The request comes from a browser's reload, or from a page that needs the newest state.
    const asksAnew = headers['cache-control'] !== undefined;
    if (kept !== undefined && !asksAnew && performance.now() - kept.asOf < KEPT_MS) return kept;
    const making = this.#making.get(key);
    if (making !== undefined && !asksAnew) return making;
    const fresh = this.#renew(key, maker).finally(() => {
      if (this.#making.get(key) === fresh) this.#making.delete(key);
    });
    this.#making.set(key, fresh);
    return fresh;
  }

  async #renew(key: string, { make, version }: AnswerMaker): Promise<Answer> {
    // Time and version are read first, so that the answer may be newer than both, but never older.
    const asOf = performance.now();
    const current = await version?.();
    const kept = this.#kept.get(key);
    const isSame = kept !== undefined && current !== undefined && kept.version === current;
    const answer = isSame ? kept : await answerOf(await make(), current);
    answer.asOf = asOf;
    this.#keep(key, answer);
    return answer;
  }

  #keep(key: string, answer: Answer): void {
    this.#forget(key);
    this.#kept.set(key, answer);
    this.#bytes += sizeOf(key, answer);
    const expired = answer.asOf - LONGEST_MS;
    for (const [oldest, { asOf }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES && this.#kept.size <= MOST_ANSWERS && asOf >= expired) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#bytes -= sizeOf(key, kept);
    this.#kept.delete(key);
  }
}

async function answerOf(body: unknown, version: string | undefined): Promise<Answer> {
  const bytes = Buffer.from(toJson(body));
  const hash = createHash('sha1').update(bytes).digest('base64url');
  const isLong = bytes.length >= LEAST_COMPRESSED_BYTES;
  const compressed = isLong ? await compress(bytes, { level: constants.Z_BEST_SPEED }) : undefined;
  return { bytes, compressed, hash, version, asOf: 0 };
}

function sizeOf(key: string, { bytes, compressed }: Answer): number {
  return ENTRY_BYTES + 2 * key.length + bytes.length + (compressed?.length ?? 0);
}

const COMPRESSED_SUFFIX = '-gzip';

/** Whether an `If-None-Match` header contains the hash, compressed or not. Proxies that compress make tags weak. */
function isNamed(header: string | undefined, hash: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((item) => item.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === `"${hash}"` || tag === `"${hash}${COMPRESSED_SUFFIX}"`);
}
