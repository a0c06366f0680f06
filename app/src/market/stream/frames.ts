// Events as Server-Sent Events.
import type { IndexProgress } from '@curvekit/sdk/market';
import type { EventRow } from './feed.js';

/** The first frame: the client's delay before it reconnects. */
export const PROLOGUE = 'retry: 1000\n\n';

export function frameOf({ id, type, data }: Pick<EventRow, 'id' | 'type' | 'data'>): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}

export const UNKNOWN_PROGRESS: IndexProgress = { slot: null, ageMs: null };

/** The position to resume from, for clients without events, and how far the index is. */
export function positionFrame(id: bigint, { slot, ageMs }: IndexProgress): string {
  return `id: ${id}\nevent: position\ndata: ${JSON.stringify({ slot, ageMs })}\n\n`;
}

/** Drops updates of a token that a later update replaces. */
export function coalesced(events: readonly EventRow[]): EventRow[] {
  const newest = new Map<string | null, EventRow>();
  for (const event of events) if (event.type === 'update') newest.set(event.mint, event);
  return events.filter((event) => event.type !== 'update' || newest.get(event.mint) === event);
}
