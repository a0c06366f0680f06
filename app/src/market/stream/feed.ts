// Reads the outbox as it grows: each event once, in order, on every instance.
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Database } from '../../db/database.js';
import type { Logger } from '../../logging/logging.js';
import { EVENTS_CHANNEL, type EventType } from './outbox.js';

/** Events read at once. */
const PAGE = 1_000;
/** At least that long from one look to the next: a busy market costs readers few, larger writes. */
const INTERVAL_MS = 40;
/** Looked at this often also without a notification. */
const POLL_MS = 1_000;
/** The largest id that the table can have. */
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
  /** New events in their order. Not called while nobody follows. */
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
  /** Whether there may be something new. */
  #isDue = false;
  #isStopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    this.#stopListening = options.database.listen(EVENTS_CHANNEL, () => this.#look());
    // Without notifications, events are found a second later.
    this.#stopListening.catch((error: unknown) =>
      options.logger.warn({ err: error }, 'events of the market are not notified'),
    );
  }

  /** The last event that was handed out, or that there was when following began; undefined while nobody follows. */
  get last(): bigint | undefined {
    return this.#last;
  }

  /** From now on new events are handed out. */
  async follow(): Promise<void> {
    if (this.#last !== undefined) return;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  /** Nobody listens any more: nothing is read until `follow` is called again. */
  pause(): void {
    this.#last = undefined;
  }

  /** Events after an id up to another, the oldest first; undefined when some of them are not kept any more, or too many. */
  async between(after: bigint, upTo: bigint, topics: SQL): Promise<EventRow[] | undefined> {
    if (after > upTo) return undefined;
    if (after === upTo) return [];
    const { queries } = this.#options.database;
    const [oldest] = await rowsOf<{ id: string }>(
      queries,
      sql`select coalesce(min(id), ${String(LARGEST_ID)}::bigint)::text as id from market_events`,
    );
    if (BigInt(oldest!.id) > after + 1n) return undefined;
    const rows = await this.#select(
      sql`id > ${String(after)}::bigint and id <= ${String(upTo)}::bigint and ${topics}`,
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

  /** Reads what is new, at once or when the interval is over; what is notified meanwhile is part of it. */
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
          this.#options.logger.warn({ err: error }, 'the events of the market cannot be read');
        })
        .finally(() => {
          this.#reading = undefined;
          // Notified while it was reading: it may have looked too early.
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
    // Paused meanwhile, or begun anew.
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
