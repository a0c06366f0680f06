import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** The service's own metrics. A folder that needs one more adds it to `registry`. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Measures a value whenever the metrics are read: NaN when that fails. */
export function measure(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number | undefined>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await Promise.resolve()
        .then(read)
        .catch(() => undefined);
      this.set(value ?? NaN);
    },
  });
}

/** Metrics of one service, with Node's own metrics when it is the only service of the process. */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }) {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  let lookAtIndex: () => Promise<unknown> = () => Promise.resolve();
  const collect = async () => {
    await lookAtIndex();
  };
  return {
    registry,
    indexerLagSlots: new Gauge({
      name: 'curvekit_indexer_lag_slots',
      help: 'Slots between the finalized tip of the cluster and what is booked',
      registers,
      collect,
    }),
    /** Runs before the index gauges are read: every instance reads them from the database. */
    beforeIndexIsRead: (look: typeof lookAtIndex) => {
      lookAtIndex = look;
    },
    indexerRecords: new Counter({
      name: 'curvekit_indexer_records_total',
      help: 'Log records indexed',
      labelNames: ['kind', 'commitment'],
      registers,
    }),
    indexerDropped: new Counter({
      name: 'curvekit_indexer_dropped_records_total',
      help: 'Confirmed records removed because their transaction was not finalized',
      registers,
    }),
    indexerGaps: new Counter({
      name: 'curvekit_indexer_gaps_total',
      help: 'Records that do not follow from those before them',
      registers,
    }),
    nodeErrors: new Counter({
      name: 'curvekit_indexer_node_errors_total',
      help: 'Failed requests of the indexer to the RPC node, each of which is repeated',
      registers,
    }),
    mismatchedCurves: new Gauge({
      name: 'curvekit_indexer_mismatched_curves',
      help: 'Curves whose derived state differs from their account on chain, at the last check',
      registers,
      collect,
    }),
    indexerHeld: new Gauge({
      name: 'curvekit_indexer_held',
      help: '1 while nothing is booked because the history of the RPC node may have gaps: it needs another node',
      registers,
      collect,
    }),
    feedTransactions: new Counter({
      name: 'curvekit_feed_transactions_total',
      help: 'Transactions of the gRPC feed: used, repeated, mismatched (not as the node lists them), or missed (not sent by it)',
      labelNames: ['outcome'],
      registers,
    }),
    feedDisconnects: new Counter({
      name: 'curvekit_feed_disconnects_total',
      help: 'Connections to the gRPC feed that ended: disconnected, silent, garbage or refused',
      labelNames: ['reason'],
      registers,
    }),
    feedDown: new Gauge({
      name: 'curvekit_feed_down',
      help: '1 on the instance that indexes while the configured gRPC feed delivers nothing',
      registers,
    }),
    feedBehindSlots: new Gauge({
      name: 'curvekit_feed_behind_slots',
      help: 'Slots by which the gRPC feed is behind the finalized tip of the RPC node; 0 while it is ahead',
      registers,
    }),
    indexerLeader: new Gauge({
      name: 'curvekit_indexer_leader',
      help: '1 on the instance that indexes',
      registers,
    }),
  };
}
