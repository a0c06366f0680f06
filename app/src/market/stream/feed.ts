// Reads new events from the outbox: each event once, in order, on every instance.
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Database } from '../../db/database.js';
import type { Logger } from '../../logging/logging.js';
import { missedIds } from './missed.js';
import { EVENTS_CHANNEL, type EventType } from './outbox.js';

/** Maximum events read at once. */
const PAGE = 1_000;
/** Shortest interval between two reads, so that a busy market causes few, larger writes to clients. */
const INTERVAL_MS = 40;
/** Longest interval between two reads, if no notification arrives. */
const POLL_MS = 1_000;
/** The largest possible id. */
export const LARGEST_ID = 2n ** 63n - 1n;

export interface EventRow {
  readonly id: bigint;
  readonly type: EventType;
  readonly mint: string | null;
  readonly wallet: string | null;
  /** JSON. */
  readonly data: string;
}

export interface FeedOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Called with new events, in order, while the feed is followed. */
  readonly onEvents: (events: readonly EventRow[]) => void;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #poll: NodeJS.Timeout;
  readonly #stopListening: Promise<() => Promise<void>>;
  #last: bigint | undefined;
  #starting: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #readAt = 0;
  /** Whether there may be new events. */
  #isDue = false;
  #isStopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    this.#stopListening = options.database.listen(EVENTS_CHANNEL, () => this.#look());
    // Without notifications, events arrive up to a second later.
    this.#stopListening.catch((error: unknown) =>
      options.logger.warn({ err: error }, 'events of the market are not notified'),
    );
  }

  /** Id of the last event passed on, or of the newest event when following began. Undefined while the feed is paused. */
  get last(): bigint | undefined {
    return this.#last;
  }

  /** Starts passing on new events. */
  async follow(): Promise<void> {
    if (this.#last !== undefined) return;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  /** Stops reading until `follow` is called again. */
  pause(): void {
    this.#last = undefined;
  }

  /**
   * Events after the id `after` up to the id `upTo`, oldest first; undefined when some are deleted already, or too many.
   */
  async between(after: bigint, upTo: bigint, topics: readonly string[]): Promise<EventRow[] | undefined> {
    if (after > upTo) return undefined;
    if (after === upTo) return [];
    const { queries } = this.#options.database;
    const [oldest] = await rowsOf<{ id: string }>(
      queries,
      sql`select coalesce(min(id), ${String(LARGEST_ID)}::bigint)::text as id from market_events`,
    );
    if (BigInt(oldest!.id) > after + 1n) return undefined;
    const rows = await this.#select(
      sql`id in (${missedIds(topics, { after, upTo, most: PAGE + 1 })})`,
      PAGE + 1,
    );
    return rows.length > PAGE ? undefined : rows;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    await (
      await this.#stopListening.catch(() => undefined)
    )?.();
    await this.#reading;
  }

  async #start(): Promise<void> {
    const [newest] = await rowsOf<{ id: string }>(
      this.#options.database.queries,
      sql`select coalesce(max(id), 0)::text as id from market_events`,
    );
    this.#last = BigInt(newest!.id);
  }

  /** Reads new events, now or at the end of the interval. Notifications that arrive before that need no further read. */
  #look(): void {
    if (this.#last === undefined || this.#isStopped) return;
    this.#isDue = true;
    if (this.#timer !== undefined || this.#reading !== undefined) return;
    const wait = Math.max(0, this.#readAt + INTERVAL_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#isDue = false;
      this.#reading = this.#read()
        .catch((error: unknown) => {
          this.#options.logger.warn(
            { err: error },
            'reading the events of the market failed; it is tried again',
          );
        })
        .finally(() => {
          this.#reading = undefined;
          // A notification during the read: the event may have been committed after the read.
          if (this.#isDue) this.#look();
        });
    }, wait);
  }

  async #read(): Promise<void> {
    this.#readAt = performance.now();
    const after = this.#last;
    if (after === undefined) return;
    const rows = await this.#select(sql`id > ${String(after)}::bigint`, PAGE);
    const last = rows.at(-1)?.id;
    // The feed was paused or restarted during the read.
    if (last === undefined || this.#last !== after) return;
    this.#last = last;
    if (rows.length === PAGE) this.#isDue = true;
    this.#options.onEvents(rows);
  }

  async #select(condition: SQL, limit: number): Promise<EventRow[]> {
    const rows = await rowsOf<Omit<EventRow, 'id'> & { id: string }>(
      this.#options.database.queries,
      sql`select id::text as id, type, mint, wallet, data from market_events where ${condition} order by market_events.id limit ${limit}`,
    );
    return rows.map((row) => ({ ...row, id: BigInt(row.id) }));
  }
}
