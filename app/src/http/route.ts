// Defines a route once: its validation, its handler and its part of the OpenAPI document are derived from it.
import type { Request, RequestHandler, Response } from 'express';
import { readJson } from './body.js';
import { toJson, type JsonText } from './json.js';
import { invalid, type FieldProblem } from './problem.js';
import { ExpressRequest, type RawRequest } from './raw-request.js';
import { AnswerCache } from './answer-cache.js';
import { check, type Checked, type Fields } from './validation.js';
import type { z } from './zod.js';

export interface ErrorCase {
  readonly status: number;
  readonly code: string;
  readonly description: string;
}

type NoFields = z.ZodObject<Record<never, never>>;

export interface Form {
  readonly fields: Fields;
  /** Maximum size of the whole body. */
  readonly mostBytes: number;
}

interface RouteParts<
  Answer extends z.ZodType,
  Params extends Fields,
  Query extends Fields,
  Headers extends Fields,
  Body extends Fields,
  Identity,
> {
  readonly method: 'get' | 'post';
  /** In OpenAPI notation: `/rewards/{address}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Names of the security schemes that a request must satisfy. All are required. */
  readonly security?: readonly string[];
  readonly params?: Params;
  /** Other query parameters are ignored. */
  readonly query?: Query;
  /** In lower case. Other headers are ignored. */
  readonly headers?: Headers;
  readonly body?: Body;
  /** A body that is not JSON. The handler parses the bytes. */
  readonly form?: Form;
  /** The body of the answer with status 200. */
  readonly answer: Answer;
  readonly answerDescription: string;
  /** Additional headers of this answer, with their descriptions. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /**
   * For public answers: the answer gets an `ETag`, and concurrent requests share it. Without this option the answer is
   * `no-store`.
   */
  readonly cacheControl?: string;
  /** A version of a public answer that changes with its sources. Reading it must be cheaper than building the answer. */
  readonly version?: (params: z.output<Params>) => Promise<string | undefined>;
  /** In addition to the errors that follow from the rest of the definition. */
  readonly errors?: readonly ErrorCase[];
  /** Refuses by the headers alone, before the body is read. Throws. */
  readonly precheck?: (request: RawRequest) => void;
  /** Authenticates the client. Runs after the path parameters are checked and before everything else. */
  readonly guard?: (request: RawRequest, params: z.output<Params>) => Promise<Identity>;
  readonly handler: (request: {
    readonly params: z.output<Params>;
    readonly query: z.output<Query>;
    readonly headers: z.output<Headers>;
    readonly body: z.output<Body>;
    readonly identity: Identity;
    readonly raw: RawRequest;
    readonly setHeader: (name: string, value: string) => void;
  }) => Promise<z.input<Answer> | JsonText>;
}

/** What every route has, also when its definition leaves it out. */
type Preset = 'security' | 'answerHeaders' | 'errors';

type AnyParts = RouteParts<z.ZodType, Fields, Fields, Fields, Fields, never>;

/** A route, ready to be served and documented. */
export interface Route
  extends
    Omit<AnyParts, Preset | 'precheck' | 'guard' | 'handler' | 'version' | 'cacheControl'>,
    Required<Pick<AnyParts, Preset>> {
  /** Whether the answer has an `ETag`, so that clients can revalidate it. */
  readonly hasTag: boolean;
  /** Runs before the body is read. */
  readonly precheck: RequestHandler | undefined;
  readonly handle: RequestHandler;
  /** Media type of the answer. The default is JSON. */
  readonly answerType?: string;
}

/** The result for a route without such fields. */
const NO_FIELDS: Checked<unknown> = { value: {} };
const NO_PROBLEMS: readonly FieldProblem[] = [];

/** Defines a route. Unknown query parameters are ignored; unknown body fields are refused, unless the body is a protocol that others extend. */
export function defineRoute<
  Answer extends z.ZodType,
  Params extends Fields = NoFields,
  Query extends Fields = NoFields,
  Headers extends Fields = NoFields,
  Body extends Fields = NoFields,
  Identity = undefined,
>(parts: RouteParts<Answer, Params, Query, Headers, Body, Identity>): Route {
  const { cacheControl, guard, handler, version, ...documented } = parts;
  const { params, query, headers, body } = parts;

  const checkQuery = checkOf(query, 'query');
  const checkHeaders = checkOf(headers, 'headers');

  async function bodyFor(request: Request, response: Response): Promise<z.input<Answer> | JsonText> {
    const raw = new ExpressRequest(request);
    const ofPath = params === undefined ? NO_FIELDS : check(params, request.params, 'path');
    if ('problems' in ofPath) throw invalid(ofPath.problems);
    const values = ofPath.value as z.output<Params>;
    const identity = (await guard?.(raw, values)) as Identity;

    // Express parses the query at every access.
    const ofQuery = checkQuery(query === undefined ? {} : request.query);
    const ofHeaders = checkHeaders(request.headers);
    const ofBody = body === undefined ? NO_FIELDS : checkBody(body, request, raw.body);
    const problems = [...problemsOf(ofQuery), ...problemsOf(ofHeaders), ...problemsOf(ofBody)];
    if (problems.length > 0) throw invalid(problems);
    // Fields listed one by one: spreading an object into another takes V8 microseconds.
    return handler({
      params: values,
      query: valueOf<z.output<Query>>(ofQuery),
      headers: valueOf<z.output<Headers>>(ofHeaders),
      body: valueOf<z.output<Body>>(ofBody),
      identity,
      raw,
      setHeader: (name, value) => void response.setHeader(name, value),
    });
  }

  const cache = new AnswerCache();
  const queryNames = Object.keys(query?.shape ?? {});
  async function handle(request: Request, response: Response): Promise<void> {
    if (cacheControl === undefined) sendJson(response, 200, await bodyFor(request, response));
    else
      await cache.send(request, response, cacheControl, {
        key: keyOf(request, queryNames),
        make: () => bodyFor(request, response),
        version: version && (() => versionFor(request)),
      });
  }

  async function versionFor(request: Request): Promise<string | undefined> {
    const ofPath = params === undefined ? NO_FIELDS : check(params, request.params, 'path');
    return 'value' in ofPath ? version?.(ofPath.value as z.output<Params>) : undefined;
  }

  return {
    security: [],
    errors: [],
    answerHeaders: {},
    ...documented,
    hasTag: cacheControl !== undefined,
    precheck: precheckOf(parts.precheck),
    handle,
  };
}

function precheckOf(check: ((request: RawRequest) => void) | undefined): RequestHandler | undefined {
  if (check === undefined) return undefined;
  return (request, _response, next) => {
    check(new ExpressRequest(request));
    next();
  };
}

/** Identifies a public answer. Other query parameters do not change it, so they must not fill the cache. */
function keyOf({ originalUrl, query }: Request, names: readonly string[]): string {
  const [path = ''] = originalUrl.split('?', 1);
  if (names.length === 0) return path;
  const given = query;
  return `${path} ${JSON.stringify(names.map((name) => given[name]))}`;
}

/** Answers with JSON that must not be cached, because it belongs to one client. */
export function sendJson(response: Response, status: number, body: unknown): void {
  const text = toJson(body);
  // Faster than Express's `send`, which determines type and length again for every answer.
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const bytes = Buffer.byteLength(text);
  response.setHeader('Content-Length', bytes);
  // ASCII text has the same bytes in both encodings, and Node writes Latin-1 faster.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

function checkBody(schema: Fields, request: Request, bytes: Uint8Array): Checked<unknown> {
  const json = readJson(request, bytes);
  return 'problem' in json ? { problems: [json.problem] } : check(schema, json.value, 'body');
}

function problemsOf(checked: Checked<unknown>): readonly FieldProblem[] {
  return 'problems' in checked ? checked.problems : NO_PROBLEMS;
}

function valueOf<T>(checked: Checked<unknown>): T {
  return ('value' in checked ? checked.value : undefined) as T;
}

type Given = Readonly<Record<string, unknown>>;

/** Returns a check of the schema's fields. Most requests have none of them, so that result is computed once. */
function checkOf(schema: Fields | undefined, whole: string): (given: Given) => Checked<unknown> {
  const names = Object.keys(schema?.shape ?? {});
  const ofNone = schema === undefined ? NO_FIELDS : check(schema, {}, whole);
  return (given) => {
    let picked: Record<string, unknown> | undefined;
    for (const name of names) if (given[name] !== undefined) (picked ??= {})[name] = given[name];
    return schema === undefined || picked === undefined ? ofNone : check(schema, picked, whole);
  };
}
