// Writes events for pages, in the transaction that causes them.
import { sql } from 'drizzle-orm';
import { insertRows } from '../../db/statements.js';
import { statement, type Transaction, type Database } from '../../db/database.js';
import type { marketEvents } from '../../db/schema/index.js';
import type { Context } from '../../context.js';
import { repeatedJob, type Job } from '../../db/jobs/leader-job.js';

export type EventType = (typeof marketEvents.$inferSelect)['type'];

export interface MarketEvent {
  readonly type: EventType;
  readonly mint: string | null;
  /** The event also goes to followers of this wallet. */
  readonly wallet?: string;
  /** Of a trade its id. */
  readonly data: unknown;
}

/** PostgreSQL channel that is notified of new events. */
export const EVENTS_CHANNEL = 'curvekit_market_events';
/** Advisory lock of events, so that ids are assigned and committed in the same order. */
const WRITING = sql.raw(`${0x6375_7276}, ${0x6576_6e74}`);

/** Adds events. Call it at the end of the transaction: the next transaction with events waits for its commit. */
export async function appendEvents(tx: Transaction, events: readonly MarketEvent[]): Promise<void> {
  if (events.length > 0) await appendLocked(tx, () => Promise.resolve(events));
}

/** Adds events that are made when no other transaction can add older ones any more, at the end of the transaction. */
export async function appendLocked(
  tx: Transaction,
  make: () => Promise<readonly MarketEvent[]>,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${WRITING})`);
  const events = await make();
  if (events.length === 0) return;
  await insertRows(tx, 'market_events', events, {
    mint: ['text', ({ mint }) => mint],
    wallet: ['text', ({ wallet }) => wallet ?? null],
    type: ['text', ({ type }) => type],
    data: ['text', ({ data }) => JSON.stringify(data)],
  });
  await tx.execute(sql`select pg_notify(${EVENTS_CHANNEL}, '')`);
}

/** Adds an event that makes all clients reload, unless the newest event is one already. */
export async function appendReset(tx: Transaction): Promise<void> {
  await appendLocked(tx, async () => {
    const [newest] = await statement<{ type: EventType }>(tx)`
      select type from market_events order by id desc limit 1`;
    return newest?.type === 'reset' ? [] : [{ type: 'reset', mint: null, data: {} }];
  });
}

const INTERVAL_MS = 60_000;
const MOST_EVENTS = 100_000;
const AT_ONCE = 10_000;

/** Removes events that are too old to resume from. */
export const createEventTrimmer = (context: Context): Job =>
  repeatedJob('market-events', context, INTERVAL_MS, (leading, step) => step(() => trimEvents(leading)));

/** Keeps the newest event, so that the last used id is known. Ids have the order of time, so it reads only what it deletes. */
export async function trimEvents(database: Database, most = MOST_EVENTS): Promise<void> {
  while ((await trimSome(database, most)) === AT_ONCE);
}

function trimSome(database: Database, most: number): Promise<number> {
  return database.transaction(async (tx) => {
    const deleted = await statement(tx)`
      delete from market_events where id in (
        select oldest.id from (select id, at from market_events order by id limit ${AT_ONCE}) oldest,
          (select max(id) as id from market_events) newest
        where oldest.id < newest.id and (at < now() - interval '1 hour' or oldest.id <= newest.id - ${most}::bigint)
      ) returning id`;
    return deleted.length;
  });
}
