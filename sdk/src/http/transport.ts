// Sends JSON requests to the service's APIs, and retries when the service asks for it.
import { requireKnown, type OptionNames } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import { limit, throwIfAborted } from '../platform/abort.js';
import { parseUrl } from '../platform/url.js';
import { Backoff } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';
import { ApiError, ConnectionError, type FieldProblem } from './errors.js';
import { fetchAnswer, unreachable } from './fetch.js';
import type { JsonValue } from './json.js';
import type { ServerClock } from './server-clock.js';

/** Connection to the service. */
export interface TransportOptions {
  /** URL of the service, with the path prefix of its proxy: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Timeout of one answer. Default 30,000 ms. */
  readonly timeoutMs?: number | undefined;
  /**
   * The number of retries after 429, 502 to 504 and a broken connection. The APIs take every request again without harm.
   * Default 3; 0 disables retries.
   */
  readonly retries?: number | undefined;
  /** The longest `Retry-After` to wait for. A longer one fails immediately. Default 30,000 ms. */
  readonly longestWaitMs?: number | undefined;
}

const TRANSPORT_OPTIONS = {
  baseUrl: true,
  fetch: true,
  timeoutMs: true,
  retries: true,
  longestWaitMs: true,
} as const satisfies OptionNames<TransportOptions>;

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Percent-encoded, from the root of the API: `/rewards/…`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as the JSON body. */
  readonly body?: unknown;
  /** Sent in place of a JSON body. */
  readonly form?: { readonly type: string; readonly bytes: ArrayBuffer } | undefined;
  /** Headers of one attempt. Called for each attempt, so that each can have its own signature. @param body as sent */
  readonly headers?: ((body: string | ArrayBuffer) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Overrides the transport's option. */
  readonly retries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the caches of the browser and of proxies. */
  readonly fresh?: boolean | undefined;
}

/** An answer with a status below 400. */
export interface ApiResponse {
  /** With `parseJson`, integers beyond 2^53 are bigints. */
  readonly json: JsonValue;
  readonly headers: Headers;
  /** URL of the request. */
  readonly url: string;
}

/** The content of an API's error. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly FieldProblem[] | undefined;
}
/** @returns undefined when the answer does not come from the API */
export type ErrorReader = (body: JsonValue | undefined) => ErrorBody | undefined;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_LONGEST_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 250;
/** Too many requests, bad gateway, service unavailable, gateway timeout. */
const PASSING: readonly number[] = [429, 502, 503, 504];

export class Transport {
  readonly #options: TransportOptions;
  readonly #base: string;
  readonly #readError: ErrorReader;

  /** @throws InvalidArgumentError for a base that is not an http(s) URL */
  constructor(
    options: TransportOptions,
    readError: ErrorReader,
    /** `JSON.parse` for an API whose amounts are text. */
    private readonly parse: (text: string) => JsonValue,
    /** Learns from every answer. */
    private readonly clock?: ServerClock,
  ) {
    requireKnown('options', options, TRANSPORT_OPTIONS);
    const base = parseUrl(options.baseUrl);
    if (base === undefined || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '') {
      throw new InvalidArgumentError('baseUrl', 'must be an http or https URL without query');
    }
    this.#options = options;
    this.#base = base.href.replace(/\/+$/, '');
    this.#readError = readError;
  }

  /**
   * The answer's JSON.
   *
   * @throws ApiError when the API refuses; ConnectionError when the API cannot be reached; the signal's reason
   */
  async request(request: ApiRequest): Promise<JsonValue> {
    return (await this.exchange(request)).json;
  }

  /** Like `request`, with the answer's headers. @throws as `request` */
  async exchange(request: ApiRequest): Promise<ApiResponse> {
    const { longestWaitMs = DEFAULT_LONGEST_WAIT_MS } = this.#options;
    const retries = request.retries ?? this.#options.retries ?? DEFAULT_RETRIES;
    const pauses = new Backoff({ firstMs: FIRST_WAIT_MS, longestMs: Infinity });
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        throwIfAborted(request.signal);
        const wait = waitAfter(error, pauses.next());
        if (wait === undefined || attempt >= retries || wait > longestWaitMs) throw error;
        await sleep(wait, request.signal);
      }
    }
  }

  async #attempt(request: ApiRequest): Promise<ApiResponse> {
    const { method, path, query, body, form, headers, signal, fresh } = request;
    const { timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = this.#options;
    const sent = form?.bytes ?? (body === undefined ? undefined : JSON.stringify(body));
    const own = (await headers?.(sent ?? '')) ?? {};
    const limited = limit(timeoutMs, signal);
    const url = this.#base + path + queryText(query);
    let response: Response;
    let answer: string;
    try {
      response = await fetchAnswer(fetch, url, {
        method,
        headers: {
          accept: 'application/json',
          ...(sent === undefined ? {} : { 'content-type': form?.type ?? 'application/json' }),
          ...own,
        },
        ...(sent === undefined ? {} : { body: sent }),
        ...(fresh === true ? { cache: 'reload' } : {}),
        signal: limited.signal,
      });
      answer = await response.text();
    } catch (cause) {
      if (limited.isLate) throw unreachable(url, cause, `no answer in ${timeoutMs} ms`);
      throw cause instanceof ConnectionError ? cause : unreachable(url, cause);
    } finally {
      limited.end();
    }
    this.clock?.learn(response.headers);
    const json = this.#parsed(answer);
    if (!response.ok) throw this.#refusal(response, json);
    if (json === undefined)
      throw new ConnectionError(`the answer of ${url} is not JSON: is this the service?`);
    return { json, headers: response.headers, url };
  }

  #parsed(text: string): JsonValue | undefined {
    try {
      return this.parse(text);
    } catch (error) {
      if (error instanceof Error && /^(?:Json|Syntax)Error$/.test(error.name)) return undefined;
      throw error;
    }
  }

  #refusal(response: Response, json: JsonValue | undefined): ApiError {
    const { code, message, fields } = this.#readError(json) ?? {
      code: 'UNKNOWN',
      message: `the service answers HTTP ${response.status}`,
    };
    const requestId = response.headers.get('x-request-id') ?? undefined;
    return new ApiError(response.status, code, message, fields, retryAfter(response), requestId);
  }
}

/** Milliseconds to wait before another attempt. Undefined when no attempt should follow. */
function waitAfter(error: unknown, least: number): number | undefined {
  if (error instanceof ConnectionError) return least;
  if (!(error instanceof ApiError) || !PASSING.includes(error.status)) return undefined;
  return Math.max(error.retryAfterMs ?? 0, least);
}

function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function queryText(query: ApiRequest['query'] = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
