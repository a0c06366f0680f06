// Public answers: concurrent requests for the same URL share one answer. It is compressed once.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { toJson } from './json.js';

/** How long an answer is reused. It only has to be longer than the time to build an answer. */
const KEPT_MS = 250;
/** Maximum total size of cached answers. The oldest is dropped first. */
const MOST_BYTES = 32 * 1_048_576;

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

/** Cache of answers by path and query. */
export class SharedAnswers {
  readonly #kept = new Map<string, Answer>();
  readonly #making = new Map<string, Promise<Answer>>();
  #bytes = 0;

  /** Sends the answer, or 304 when the client has it already. */
  async send(request: Request, response: Response, cacheControl: string, maker: AnswerMaker): Promise<void> {
    const { bytes, compressed, hash } = await this.#answer(request, maker);
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

  #answer({ originalUrl: url, headers }: Request, maker: AnswerMaker): Promise<Answer> | Answer {
    const kept = this.#kept.get(url);
    // The request comes from a browser's reload, or from a page that needs the newest state.
    const asksAnew = headers['cache-control'] !== undefined;
    if (kept !== undefined && !asksAnew && performance.now() - kept.asOf < KEPT_MS) return kept;
    const making = this.#making.get(url);
    if (making !== undefined && !asksAnew) return making;
    const fresh = this.#renew(url, maker).finally(() => {
      if (this.#making.get(url) === fresh) this.#making.delete(url);
    });
    this.#making.set(url, fresh);
    return fresh;
  }

  async #renew(url: string, { make, version }: AnswerMaker): Promise<Answer> {
    // Time and version are read first, so that the answer may be newer than both, but never older.
    const asOf = performance.now();
    const current = await version?.();
    const kept = this.#kept.get(url);
    const isSame = kept !== undefined && current !== undefined && kept.version === current;
    const answer = isSame ? kept : await answerOf(await make(), current);
    answer.asOf = asOf;
    this.#keep(url, answer);
    return answer;
  }

  #keep(url: string, answer: Answer): void {
    this.#forget(url);
    this.#kept.set(url, answer);
    this.#bytes += sizeOf(answer);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#forget(oldest);
    }
  }

  #forget(url: string): void {
    const kept = this.#kept.get(url);
    if (kept !== undefined) this.#bytes -= sizeOf(kept);
    this.#kept.delete(url);
  }
}

async function answerOf(body: unknown, version: string | undefined): Promise<Answer> {
  const bytes = Buffer.from(toJson(body));
  const hash = createHash('sha1').update(bytes).digest('base64url');
  const isLong = bytes.length >= LEAST_COMPRESSED_BYTES;
  const compressed = isLong ? await compress(bytes, { level: constants.Z_BEST_SPEED }) : undefined;
  return { bytes, compressed, hash, version, asOf: 0 };
}

function sizeOf({ bytes, compressed }: Answer): number {
  return bytes.length + (compressed?.length ?? 0);
}

const COMPRESSED_SUFFIX = '-gzip';

/** Whether an `If-None-Match` header contains the hash, compressed or not. Proxies that compress make tags weak. */
function isNamed(header: string | undefined, hash: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((item) => item.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === `"${hash}"` || tag === `"${hash}${COMPRESSED_SUFFIX}"`);
}
