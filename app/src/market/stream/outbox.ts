// Writes events for pages, in the transaction that causes them.
import { sql } from 'drizzle-orm';
import { insertRows } from '../../db/statements.js';
import { statement, type Transaction } from '../../db/database.js';
import type { marketEvents } from '../../db/schema/index.js';

export type EventType = (typeof marketEvents.$inferSelect)['type'];

export interface MarketEvent {
  readonly type: EventType;
  readonly mint: string | null;
  /** The event also goes to followers of this wallet. */
  readonly wallet?: string;
  readonly data: unknown;
}

/** PostgreSQL channel that is notified of new events. */
export const EVENTS_CHANNEL = 'curvekit_market_events';
/** Advisory lock of events, so that ids are assigned and committed in the same order. */
const WRITING = sql.raw(`${0x6375_7276}, ${0x6576_6e74}`);

/** Adds events. Call it at the end of the transaction: the next transaction with events waits for its commit. */
export async function appendEvents(tx: Transaction, events: readonly MarketEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.execute(sql`select pg_advisory_xact_lock(${WRITING})`);
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
  await tx.execute(sql`select pg_advisory_xact_lock(${WRITING})`);
  const [newest] = await statement<{ type: EventType }>(tx)`
    select type from market_events order by id desc limit 1`;
  if (newest?.type !== 'reset') await appendEvents(tx, [{ type: 'reset', mint: null, data: {} }]);
}
