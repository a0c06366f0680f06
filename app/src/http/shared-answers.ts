// Public answers: concurrent requests for the same URL share one.
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { toJson } from './json.js';

/** How long an answer is reused. Short: it only has to outlast the time it takes to make one. */
const KEPT_MS = 250;
/** Total size of the cached answers; the oldest is dropped first. */
const MOST_BYTES = 32 * 1_048_576;

interface Answer {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly madeAt: number;
}

/** Cached by path and query. */
export class SharedAnswers {
  readonly #kept = new Map<string, Answer>();
  readonly #making = new Map<string, Promise<Answer>>();
  #bytes = 0;

  /** Sends the answer, or 304 when the client has it already. @param make makes the body; errors are not cached */
  async send(
    request: Request,
    response: Response,
    cacheControl: string,
    make: () => Promise<unknown>,
  ): Promise<void> {
    const { bytes, tag } = await this.#answer(request, make);
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('ETag', tag);
    if (isNamed(request.headers['if-none-match'], tag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.statusCode = 200;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }

  #answer({ originalUrl: url, headers }: Request, make: () => Promise<unknown>): Promise<Answer> | Answer {
    const kept = this.#kept.get(url);
    // A browser's reload, or a page that needs the newest state.
    const asksAnew = headers['cache-control'] !== undefined;
    if (kept !== undefined && !asksAnew && performance.now() - kept.madeAt < KEPT_MS) return kept;
    const making = this.#making.get(url);
    if (making !== undefined && !asksAnew) return making;
    const fresh = this.#make(url, make).finally(() => {
      if (this.#making.get(url) === fresh) this.#making.delete(url);
    });
    this.#making.set(url, fresh);
    return fresh;
  }

  async #make(url: string, make: () => Promise<unknown>): Promise<Answer> {
    // The age counts from here: the answer shows the state at this moment.
    const madeAt = performance.now();
    const bytes = Buffer.from(toJson(await make()));
    const tag = `"${createHash('sha1').update(bytes).digest('base64url')}"`;
    const answer = { bytes, tag, madeAt };
    this.#forget(url);
    this.#kept.set(url, answer);
    this.#bytes += bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#forget(oldest);
    }
    return answer;
  }

  #forget(url: string): void {
    this.#bytes -= this.#kept.get(url)?.bytes.length ?? 0;
    this.#kept.delete(url);
  }
}

/** Whether an `If-None-Match` header contains the tag. Proxies that compress make tags weak. */
function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}
