// Admits requests before anything is known about their clients: each holds a place until its answer is sent.
import type { Request, RequestHandler } from 'express';
import { BOUNDS, JSON_BODY, type BodyBounds, type Bounds, type Kind, type Most } from './bounds.js';
import { clientOf } from './client-address.js';
import { HttpProblem, unavailable } from './problem.js';
import { onRequestEnd } from './request-end.js';
import { Shares, type Excess, type Held } from './shares.js';

const RETRY_AFTER_SECONDS = '5';

/** Bodies that a kind of route takes, and the count of the bytes held of them. */
export interface Bodies {
  readonly bounds: BodyBounds;
  readonly shares: Shares;
}

/** The configured limits, in place of those in `BOUNDS`. */
interface StreamLimits {
  readonly streams: number;
  readonly streamsPerAddress: number;
}

/** The counts of one application. */
export class Admission {
  readonly #places: ReadonlyMap<Kind, Shares>;
  readonly #jsonBodies: Bodies = { bounds: JSON_BODY, shares: new Shares(JSON_BODY.held) };
  readonly #uploads: Bodies = { bounds: BOUNDS.upload.body, shares: new Shares(BOUNDS.upload.body.held) };

  constructor({ streams, streamsPerAddress }: StreamLimits) {
    const most = (kind: Kind): Most =>
      kind === 'stream' ? { perClient: streamsPerAddress, total: streams } : BOUNDS[kind].open;
    this.#places = new Map((Object.keys(BOUNDS) as Kind[]).map((kind) => [kind, new Shares(most(kind))]));
  }

  before(kind: Kind, handler: RequestHandler): RequestHandler {
    const places = this.#places.get(kind)!;
    return (request, response, next) => {
      const client = clientOf(request);
      const excess = places.take(client);
      if (excess !== undefined) return next(tooManyOpen(places, excess));
      onRequestEnd(request, response, () => places.give(client));
      return handler(request, response, next);
    };
  }

  bodiesOf(kind: Kind): Bodies {
    return kind === 'upload' ? this.#uploads : this.#jsonBodies;
  }
}

export function answersOf(kind: Kind): Shares {
  const { answers }: Bounds = BOUNDS[kind];
  if (answers === undefined) throw new Error(`BOUNDS.${kind}.answers is missing`);
  return new Shares(answers);
}

/** The refusal of bytes: of a body, or of an answer. */
export function tooManyBytes(excess: Excess, { most }: Shares, what: string): HttpProblem {
  return excess === 'client'
    ? tooMany(`This address holds ${most.perClient} bytes of ${what}, which is the limit`)
    : unavailable(`All clients hold ${most.total} bytes of ${what}, which is the limit; try again later`);
}

function tooManyOpen({ most }: Shares, excess: Excess): HttpProblem {
  return excess === 'client'
    ? tooMany(`This address has ${most.perClient} requests of this kind open, which is the limit; close one`)
    : unavailable(`The service has ${most.total} requests of this kind open, its limit; try again later`);
}

function tooMany(message: string): HttpProblem {
  return new HttpProblem(429, 'RATE_LIMIT_EXCEEDED', message, {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}

/** Holds bytes until the request ends. @throws HttpProblem 429 or 503 */
export function holdBytes(shares: Shares, request: Request, bytes: number, what: string): void {
  const held = shares.hold(clientOf(request));
  addBytes(shares, held, bytes, what);
  onRequestEnd(request, request.res, () => held.release());
}

/** Adds to what a request holds. @throws HttpProblem 429 or 503 */
export function addBytes(shares: Shares, held: Held, bytes: number, what: string): void {
  const excess = held.add(bytes);
  if (excess !== undefined) throw tooManyBytes(excess, shares, what);
}
