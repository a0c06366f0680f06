import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** The service's own metrics. A folder that needs one more adds it to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Slots between the cluster's finalized tip and the booked slot. */
  readonly indexerLagSlots: Gauge;
  /** Runs before the index gauges are read: every instance reads them from the database. */
  readonly beforeIndexIsRead: (look: () => Promise<unknown>) => void;
  /** Records indexed, by kind and by commitment: `confirmed` or `finalized`. */
  readonly indexerRecords: Counter<'kind' | 'commitment'>;
  /** Confirmed transactions that were dropped before they were finalized. */
  readonly indexerDropped: Counter;
  /** Records that do not continue the state of earlier records: an error of the RPC node or the index. */
  readonly indexerGaps: Counter;
  /** Failed requests to the RPC node. Each one is retried. */
  readonly nodeErrors: Counter;
  /** Curves whose indexed state differed from their account at the last check. */
  readonly mismatchedCurves: Gauge;
  /** 1 while the index waits for an RPC node with a complete history. */
  readonly indexerHeld: Gauge;
  /** Transactions of the gRPC feed, by what became of them. */
  readonly feedTransactions: Counter<'outcome'>;
  /** Connections to the gRPC feed that ended, by reason. */
  readonly feedDisconnects: Counter<'reason'>;
  /** 1 on the instance that indexes while a configured gRPC feed delivers nothing. */
  readonly feedDown: Gauge;
  /** Slots by which the gRPC feed is behind what is finalized. */
  readonly feedBehindSlots: Gauge;
  /** 1 on the instance that indexes. */
  readonly indexerLeader: Gauge;
}

/** Metrics of one service, with Node's own metrics when it is the only service of the process. */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
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
    beforeIndexIsRead: (look) => {
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
