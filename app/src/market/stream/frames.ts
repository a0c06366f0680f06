// Events as Server-Sent Events.
import type { EventRow } from './feed.js';

/** First of all: how soon a client comes back. */
export const PROLOGUE = 'retry: 1000\n\n';

export function frameOf({ id, type, data }: Pick<EventRow, 'id' | 'type' | 'data'>): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}

/** Where to resume, for clients whose topics are quiet. */
export function positionFrame(id: bigint): string {
  return `id: ${id}\nevent: position\ndata: {}\n\n`;
}

/** Without the updates that a later one of the same token makes needless. */
export function coalesced(events: readonly EventRow[]): EventRow[] {
  const newest = new Map<string | null, EventRow>();
  for (const event of events) if (event.type === 'update') newest.set(event.mint, event);
  return events.filter((event) => event.type !== 'update' || newest.get(event.mint) === event);
}
