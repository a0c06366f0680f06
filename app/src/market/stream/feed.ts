// Reads new events from the outbox: each event once, in order, on every instance.
import { sql, type SQL } from 'drizzle-orm';
import { statement, type Database } from '../../db/database.js';
import { databaseIncarnation } from '../../ledger/gate/functions.js';
import type { Logger } from '../../base/logging/logging.js';
import { EVENTS_CHANNEL } from './outbox.js';
import type { Batch, Relay } from './relay.js';
import { column, LARGEST_ID } from '../../db/statements.js';
import { tradesById } from '../reads/trades.js';
import { BOARD } from './topics.js';
import type { marketEvents } from '../../db/schema/index.js';

/** Maximum events read at once. */
const PAGE = 1_000;
/** Shortest interval between two reads, so that a busy market causes few, larger writes to clients. */
const INTERVAL_MS = 40;
/** Longest interval between two reads, if no notification arrives. */
const POLL_MS = 1_000;
/** How long an instance waits after a notification for the batch of the instance that reads for it. */
const SERVED_WITHIN_MS = 150;

export type EventRow = Omit<typeof marketEvents.$inferSelect, 'at'>;

export interface FeedOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Called with new events, in order, while the feed is followed. */
  readonly onEvents: (events: readonly EventRow[]) => void;
  /** Other instances that read. Without it, this instance reads all events itself. */
  readonly relay?: (onBatch: (batch: Batch) => void) => Relay;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #poll: NodeJS.Timeout;
  readonly #stopListening: Promise<() => Promise<void>>;
  readonly #relay: Relay | undefined;
  #last: bigint | undefined;
  #starting: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Runs while a batch is expected. */
  #late: NodeJS.Timeout | undefined;
  #readAt = 0;
  /** Whether there may be new events. */
  #isDue = false;
  #isStopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#relay = options.relay?.((batch) => this.#take(batch));
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    this.#stopListening = options.database.listen(EVENTS_CHANNEL, () => this.#notified());
    // Without notifications, events arrive up to a second later.
    this.#stopListening.catch((error: unknown) =>
      options.logger.warn(
        { err: error },
        'the database does not notify of market events; they are read once a second. Check DATABASE_URL: a pooler of transactions cannot listen',
      ),
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
    this.#relay?.leave();
  }

  /**
   * Events after the id `after` up to the id `upTo`, oldest first; undefined when some are deleted already, or too many.
   */
  async between(after: bigint, upTo: bigint, topics: readonly string[]): Promise<EventRow[] | undefined> {
    if (after > upTo) return undefined;
    if (after === upTo) return [];
    const { queries } = this.#options.database;
    const [oldest] = await statement<{ id: string }>(queries)`
      select coalesce(min(id), ${String(LARGEST_ID)}::bigint)::text as id from market_events`;
    if (BigInt(oldest!.id) > after + 1n) return undefined;
    const rows = await this.#select(
      sql`id in (${missedIds(topics, { after, upTo, most: PAGE + 1 })})`,
      PAGE + 1,
    );
    return rows.length > PAGE ? undefined : this.#withTrades(rows);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    clearTimeout(this.#late);
    this.#relay?.stop();
    await (
      await this.#stopListening.catch(() => undefined)
    )?.();
    await this.#reading;
  }

  async #start(): Promise<void> {
    const { queries } = this.#options.database;
    if (this.#relay !== undefined) {
      // Instances of one database serve each other, but not those of a copy of it, whose events have the same ids.
      const [scope] = await statement<{ name: string }>(queries)`select ${databaseIncarnation({})} as name`;
      await this.#relay.join(scope!.name);
    }
    const [newest] = await statement<{ id: string }>(queries)`
      select coalesce(max(id), 0)::text as id from market_events`;
    this.#last = BigInt(newest!.id);
  }

  #notified(): void {
    if (this.#relay?.isServed !== true) return this.#look();
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      this.#look();
    }, SERVED_WITHIN_MS);
  }

  /** Takes what another instance has read. */
  #take(batch: Batch): void {
    if (this.#last !== undefined && batch.after > this.#last) return this.#look();
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#pass(batch);
  }

  /** Passes on those events that are new. Meanwhile the feed can have been paused, or have got some of them from elsewhere. */
  #pass({ events }: Batch): void {
    const last = this.#last;
    const fresh = last === undefined ? [] : events.filter(({ id }) => id > last);
    if (fresh.length === 0) return;
    this.#last = fresh.at(-1)!.id;
    this.#options.onEvents(fresh);
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
            'reading the events of the market failed and is tried again. If that lasts, run `curvekit doctor`',
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
    if (rows.length === PAGE) this.#isDue = true;
    const events = await this.#withTrades(rows);
    this.#pass({ after, events });
    if (events.length > 0) this.#relay?.hand({ after, events });
    // Without what a reorg has removed, which is not read again.
    const end = rows.at(-1)?.id ?? after;
    if (this.#last !== undefined && this.#last < end) this.#last = end;
  }

  async #select(condition: SQL, limit: number): Promise<EventRow[]> {
    const rows = await statement<Omit<EventRow, 'id'> & { id: string }>(this.#options.database.queries)`
      select id::text as id, type, mint, wallet, data from market_events where ${condition} order by market_events.id limit ${limit}`;
    return rows.map((row) => ({ ...row, id: BigInt(row.id) }));
  }

  /** With the trades for their ids, without those that a reorg has removed. */
  async #withTrades(rows: readonly EventRow[]): Promise<EventRow[]> {
    const isId = ({ type, data }: EventRow) => type === 'trade' && !data.startsWith('{');
    const ids = rows.filter(isId).map(({ data }) => data);
    const trades = await tradesById(this.#options.database.queries, ids);
    return rows.flatMap((row) => {
      if (!isId(row)) return row;
      const trade = trades.get(row.data);
      return trade === undefined ? [] : { ...row, data: JSON.stringify(trade) };
    });
  }
}

// Finds the events that a client missed. Anyone may ask, from any id, so each read is bounded by an index.

interface Missed {
  readonly after: bigint;
  readonly upTo: bigint;
  /** Maximum ids. Each topic reads at most as many rows of its index. */
  readonly most: number;
}

/** A query of the ids of the topics' oldest missed events, like `topicsOf`. */
export function missedIds(topics: readonly string[], { after, upTo, most }: Missed): SQL {
  const [from, to] = [sql`${String(after)}::bigint`, sql`${String(upTo)}::bigint`];
  // Pairs are compared, because only the index of the name has their order. With `name = … order by id`, the planner may
  // read all events by their ids, for a name that has none.
  const ofEach = (kind: string, name: SQL) => sql`
    select found.id from unnest(${column(named(topics, kind), 'text')}) as asked (name)
      cross join lateral (
        select id from market_events
        where ${name} is not null and (${name}, id) > (asked.name, ${from}) and (${name}, id) <= (asked.name, ${to})
        order by ${name}, id limit ${most}
      ) as found`;
  // The board has these too: they concern every topic.
  const ofAll = topics.includes(BOARD) ? sql`type <> 'trade'` : sql`type in ('dropped', 'reset')`;
  return sql`
    select id from (
      ${ofEach('token', sql`mint`)}
      union ${ofEach('wallet', sql`wallet`)}
      union (select id from market_events where ${ofAll} and id > ${from} and id <= ${to} order by id limit ${most})
    ) as missed order by id limit ${most}`;
}

function named(topics: readonly string[], kind: string): string[] {
  const prefix = `${kind}:`;
  return topics.filter((topic) => topic.startsWith(prefix)).map((topic) => topic.slice(prefix.length));
}
