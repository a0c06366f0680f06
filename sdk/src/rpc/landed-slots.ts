// The slots of the transactions that landed through a client of an RPC node. Behind one URL there can be several nodes,
// some of them behind, so a read after a write names the slot that its answer must include.

/** A node that is further behind than this is broken. A cluster that was reset begins at slot 0 again. */
const REMEMBERED_MS = 60_000;

const landed = new WeakMap<object, { readonly slot: number; readonly at: number }>();

/** A Connection that stands for another client. */
interface StandIn {
  /** The Connection or the Kit client that the caller passed. */
  readonly client?: object;
}

/** The client that the caller passed. */
export function clientOf(connection: object): object {
  return (connection as StandIn).client ?? connection;
}

export function rememberLanded(connection: object, slot: number): void {
  const client = clientOf(connection);
  const known = lastLanded(client) ?? 0;
  if (slot >= known) landed.set(client, { slot, at: Date.now() });
}

/** The slot of the last landed transaction. Undefined after a minute without one. */
export function lastLanded(connection: object): number | undefined {
  const last = landed.get(clientOf(connection));
  return last !== undefined && Date.now() - last.at < REMEMBERED_MS ? last.slot : undefined;
}
