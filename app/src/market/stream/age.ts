/** What is older is history that is read later, such as by a back-fill: nobody waits for each of it. */
const LIVE_SECONDS = 600;

/** What pages are told of one by one, and whether there is more. @param timestampOf Unix seconds; undefined counts as now */
export function byAge<Item>(
  items: readonly Item[],
  timestampOf: (item: Item) => bigint | number | undefined,
) {
  const since = Date.now() / 1_000 - LIVE_SECONDS;
  const live = items.filter((item) => Number(timestampOf(item) ?? since) >= since);
  return { live, hasOlder: live.length < items.length };
}
