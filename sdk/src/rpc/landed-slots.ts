// The slots of the transactions that landed through a client of an RPC node. Clients of the same URL share them. Behind one URL there can be several nodes,
// some of them behind, so a read after a write names the slot that its answer must include.

/** A node that is further behind than this is broken. A cluster that was reset begins at slot 0 again. */
const REMEMBERED_MS = 60_000;

interface Landed {
  readonly slot: number;
  readonly at: number;
}

/** Of clients that do not tell their URL, such as Kit's. */
const ofClients = new WeakMap<object, Landed>();
const ofUrls = new Map<string, Landed>();

/** A Connection that stands for another client. */
interface StandIn {
  /** The Connection or the Kit client that the caller passed. */
  readonly client?: object;
}

/** The client that the caller passed. */
export function clientOf(connection: object): object {
  return (connection as StandIn).client ?? connection;
}

/** Remembers the slot of a transaction that landed. */
export function rememberLanded(connection: object, slot: number): void {
  const { rpcEndpoint } = connection as { readonly rpcEndpoint?: string };
  const last = { slot, at: Date.now() };
  if (slot < (lastLanded(connection) ?? 0)) return;
  if (rpcEndpoint === undefined) ofClients.set(clientOf(connection), last);
  else ofUrls.set(rpcEndpoint, last);
}

/** The slot of the last landed transaction. Undefined after a minute without one. */
export function lastLanded(connection: object): number | undefined {
  const { rpcEndpoint } = connection as { readonly rpcEndpoint?: string };
  const last = rpcEndpoint === undefined ? ofClients.get(clientOf(connection)) : ofUrls.get(rpcEndpoint);
  return last !== undefined && Date.now() - last.at < REMEMBERED_MS ? last.slot : undefined;
}
