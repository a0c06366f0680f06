/** Older trades come from a backfill. Pages do not get one event for each of them. */
const LIVE_SECONDS = 600;

/**
 * The items that are recent enough for an event each, and whether older ones were omitted. @param timestampOf Unix seconds;
 * undefined counts as now
 */
export function byAge<Item>(
  items: readonly Item[],
  timestampOf: (item: Item) => bigint | number | undefined,
) {
  const since = Date.now() / 1_000 - LIVE_SECONDS;
  const live = items.filter((item) => Number(timestampOf(item) ?? since) >= since);
  return { live, hasOlder: live.length < items.length };
}
