// Sends events to endpoints, on one instance at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import { measure } from '../base/metrics.js';
import type { Context } from '../context.js';
import type { Database } from '../db/database.js';
import { leaderJob, type Job } from '../db/jobs/leader-job.js';
import * as outbox from './outbox.js';
import { send, type SendLimits } from './send.js';

const POLL_MS = 250;
/** How soon the database learns what became of events, while some are being sent. */
const STORE_MS = 100;
const TIDY_MS = 60_000;
/** Events that one endpoint gets at once, each of another subject. */
const AT_ONCE = 8;

type JobContext = Pick<Context, 'config' | 'database' | 'logger' | 'metrics' | 'now'>;

export function createWebhookJob(
  { config, database, logger, metrics, now }: JobContext,
  limits: Partial<Pick<SendLimits, 'timeoutMs' | 'nameServers'>> = {},
): Job {
  const sent = new Counter({
    name: 'curvekit_webhook_deliveries_total',
    help: 'Attempts to send an event to an endpoint: delivered, failed, or dead (given up after a day)',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  return leaderJob({
    name: 'webhooks',
    database,
    logger,
    work: async (stopping, leading, step) => {
      // Work that starts over must not send beside what it has begun.
      const over = new AbortController();
      const signal = AbortSignal.any([stopping, over.signal]);
      const sending = new Sending(leading, sent, now, {
        ...{ signal, allowsInside: config.isSimulated },
        ...limits,
      });
      try {
        while (!signal.aborted) {
          if (sending.isDue) await step(() => sending.turn());
          await sleep(sending.busy.size > 0 ? STORE_MS : POLL_MS, undefined, { signal });
        }
      } finally {
        over.abort();
      }
    },
  });
}

/** The rounds of all endpoints, which run beside each other: one that hangs delays no other. */
class Sending {
  /** Endpoints whose round is not stored yet. */
  readonly busy = new Set<string>();
  #outcomes: outbox.Outcome[] = [];
  #polledAt = -Infinity;
  #tidiedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly sent: Counter<'outcome'>,
    private readonly now: () => number,
    private readonly limits: SendLimits,
  ) {}

  get isDue(): boolean {
    return this.#outcomes.length > 0 || performance.now() >= this.#polledAt + POLL_MS;
  }

  /** Stores what became of rounds, and begins the next ones. */
  async turn(): Promise<void> {
    const { queries } = this.database;
    const ended = this.#outcomes;
    this.#outcomes = [];
    for (const { round } of ended) this.busy.delete(round.endpoint);
    const now = new Date(this.now());
    const isFirst = this.#tidiedAt === -Infinity;
    const isTidying = performance.now() >= this.#tidiedAt + TIDY_MS;
    const hasNews = await outbox.hasNews(queries, [...this.busy], now);
    if (ended.length > 0 || isTidying || hasNews) {
      const dead = await this.database.transaction(async (tx) => {
        const givenUp = await outbox.settle(tx, ended, now.getTime());
        if (hasNews) await outbox.takeNews(tx, [...this.busy], now);
        if (isTidying) await outbox.tidy(tx);
        return givenUp;
      });
      if (isTidying) this.#tidiedAt = performance.now();
      this.#count(ended, dead);
    }
    if (ended.length > 0 || hasNews || isFirst)
      for (const round of await outbox.nextRounds(queries, [...this.busy], now)) this.#begin(round);
    this.#polledAt = performance.now();
  }

  #begin(round: outbox.Round): void {
    this.busy.add(round.endpoint);
    deliver(round, this.limits).then(
      (outcome) => this.#outcomes.push(outcome),
      // Only when the job ends: the next leader sends the round again.
      () => undefined,
    );
  }

  #count(ended: readonly outbox.Outcome[], dead: number): void {
    const results = ended.flatMap(({ results }) => results);
    const taken = results.filter(({ problem }) => problem === undefined).length;
    this.sent.inc({ outcome: 'delivered' }, taken);
    this.sent.inc({ outcome: 'failed' }, results.length - taken);
    this.sent.inc({ outcome: 'dead' }, dead);
  }
}

/** Sends the events of a round: those of one subject one after the other, until one is not taken. */
async function deliver(round: outbox.Round, limits: SendLimits): Promise<outbox.Outcome> {
  const subjects = new Map<string, outbox.WebhookEvent[]>();
  for (const event of round.events)
    subjects.set(event.subject, [...(subjects.get(event.subject) ?? []), event]);
  const results: outbox.Outcome['results'][number][] = [];
  let isGone = false;
  const atOnce = pLimit(AT_ONCE);
  await Promise.all(
    [...subjects.values()].map((events) =>
      atOnce(async () => {
        for (const event of events) {
          if (isGone) return;
          const sent = await send(round, event, limits);
          isGone ||= sent.isGone === true;
          results.push({ event, problem: sent.problem });
          if (sent.problem !== undefined) return;
        }
      }),
    ),
  );
  return { round, results, isGone };
}

/** Measures what waits, on every instance: the leader may be the one that hangs. */
export function measureWebhooks({ database, metrics }: Pick<Context, 'database' | 'metrics'>): void {
  const read = () => outbox.undelivered(database.queries);
  measure(
    metrics.registry,
    'curvekit_webhook_events_pending',
    'Events that endpoints have not taken yet, counted for each endpoint',
    async () => (await read()).waiting,
  );
  measure(
    metrics.registry,
    'curvekit_webhook_oldest_seconds',
    'Age of the oldest event that an endpoint has not taken yet: curvekit webhook list says why',
    async () => (await read()).oldest,
  );
}
