// `GET /v1/market/stream`: live events of the market.
import type { Request, Response } from 'express';
import { withTimeout } from '@curvekit/sdk';
import type { IndexProgress } from '@curvekit/sdk/market';
import { CachedValue } from '../../base/cached-value.js';
import type { Context } from '../../context.js';
import { invalid } from '../../http/problem.js';
import { onRequestEnd } from '../../http/request-end.js';
import { LARGEST_ID } from '../../db/statements.js';
import { Feed } from './feed.js';
import { coalesced, frameOf, positionFrame, PROLOGUE, UNKNOWN_PROGRESS } from './frames.js';
import { Hub } from './hub.js';
import { Reader } from './reader.js';
import { redisRelay } from './relay.js';
import { BOARD, isTopic, MOST_TOPICS } from './topics.js';
import { measure } from '../../base/metrics.js';

/** Streams that open at the same time share one look at the index. */
const PROGRESS_MS = 2_000;
const PROGRESS_TIMEOUT_MS = 2_000;

export class MarketStream {
  readonly #hub: Hub;
  readonly #feed: Feed;

  readonly #progress: () => Promise<IndexProgress>;

  /** @param redisUrl with it, one instance reads the events of a database for all */
  constructor(
    { database, logger, metrics }: Pick<Context, 'database' | 'logger' | 'metrics'>,
    progress: () => Promise<IndexProgress>,
    redisUrl?: string,
  ) {
    const kept = new CachedValue(PROGRESS_MS, () =>
      withTimeout(progress(), PROGRESS_TIMEOUT_MS, 'the index'),
    );
    this.#progress = () => kept.get();
    this.#hub = new Hub(() => this.#feed.last, this.#progress);
    this.#feed = new Feed({
      ...{ database, logger, onEvents: (events) => this.#hub.hand(events) },
      ...(redisUrl !== undefined &&
        database.kind === 'postgres' && {
          relay: (onBatch) => redisRelay(redisUrl, { logger, onBatch }),
        }),
    });
    measure(
      metrics.registry,
      'curvekit_market_streams_open',
      'Streams of market events that clients have open; STREAMS limits them',
      () => this.#hub.readers,
    );
  }

  /** Streams the events of the requested topics, starting after the last event that the reader has. @throws HttpProblem */
  async serve(request: Request, response: Response): Promise<void> {
    const topics = topicsIn(request.query['topic']);
    const seen = lastSeen(request);
    let leave = () => undefined as void;
    let isOver = false;
    onRequestEnd(request, response, () => {
      isOver = true;
      leave();
      if (this.#hub.readers === 0) this.#feed.pause();
    });
    // The client may have left while the request waited, before anything listened.
    if (isOver) return;
    const head = await this.#head();
    if (isOver) return;
    // From here on, new events wait until past events are sent.
    const reader = new Reader(response);
    leave = this.#hub.add(reader, topics);
    const progress = await this.#progress().catch(() => UNKNOWN_PROGRESS);
    const position = positionFrame(head, progress);
    const past = seen === undefined ? position : await this.#past(seen, head, topics, position);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Without this header, nginx buffers frames.
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD') response.end();
    else reader.begin(PROLOGUE + past);
  }

  async stop(): Promise<void> {
    this.#hub.stop();
    await this.#feed.stop();
  }

  async #head(): Promise<bigint> {
    for (;;) {
      await this.#feed.follow();
      // The last reader may have disconnected meanwhile.
      if (this.#feed.last !== undefined) return this.#feed.last;
    }
  }

  /** The events that the reader missed, or an event that makes it reload everything. */
  async #past(seen: bigint, head: bigint, topics: readonly string[], position: string): Promise<string> {
    const missed = await this.#feed.between(seen, head, topics);
    if (missed === undefined) return frameOf({ id: head, type: 'reset', data: '{}' });
    return coalesced(missed).map(frameOf).join('') + position;
  }
}

function topicsIn(value: unknown): readonly string[] {
  const topics = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  const bad = topics.find((topic) => !isTopic(topic));
  if (bad !== undefined || topics.length === 0 || topics.length > MOST_TOPICS) {
    const form = `must be ${BOARD}, token:MINT or wallet:ADDRESS, once to ${MOST_TOPICS} times`;
    throw invalid([
      { field: 'topic', message: bad === undefined ? form : `${form}, not '${bad.slice(0, 64)}'` },
    ]);
  }
  return topics;
}

/** The id in the header that browsers send when they reconnect. A page that opens a new stream can only set the query. */
function lastSeen(request: Request): bigint | undefined {
  const text = request.get('Last-Event-ID') ?? request.query['lastEventId'];
  if (text === undefined || text === '') return undefined;
  const id = typeof text === 'string' && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (id !== undefined && id <= LARGEST_ID) return id;
  throw invalid([
    { field: 'Last-Event-ID', message: 'must be the id of an event; leave it out to begin now' },
  ]);
}
