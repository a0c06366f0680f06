/** Older trades come from a backfill. Pages do not get one event for each of them. */
const LIVE_SECONDS = 600;

/** Whether something is recent enough for an event of its own. @param timestamp Unix seconds */
export function isLive(timestamp: bigint | number): boolean {
  return Number(timestamp) >= Date.now() / 1_000 - LIVE_SECONDS;
}
