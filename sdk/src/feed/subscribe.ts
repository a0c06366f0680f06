// A live stream of records.
import { DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import type { Connection } from '../chain/types.js';
import { requireKnown } from '../checks/options.js';
import type { CurveRecord, UnknownRecord } from '../records/record.js';
import { requireConnection } from '../rpc/reading.js';
import {
  nodeOptions,
  SUBSCRIPTION_OPTIONS,
  type RecordSubscription,
  type SubscriptionOptions,
} from './node/options.js';
import { readRecords } from './node/records.js';
import { NodeTransactions } from './node/transactions.js';

export type { NodeSourceOptions, RecordSubscription, SubscriptionOptions } from './node/options.js';

/**
 * Subscribes to the program's records.
 *
 * Iteration throws IncompleteTransactionError when the node lacks data of a record (an old transaction, inner
 * instructions, a whole log), and CurvekitError when the node refuses a request permanently.
 *
 * @throws InvalidArgumentError for an option out of range, and a `from` that is not a record's source
 */
export function subscribeRecords(
  connection: Connection,
  options: SubscriptionOptions = {},
): RecordSubscription {
  const all = subscribeEveryRecord(connection, options);
  return { ...all, [Symbol.asyncIterator]: () => known(all) };
}

/**
 * Like {@link subscribeRecords}, and delivers records that this version of the SDK does not know as `kind: 'unknown'`.
 */
export function subscribeEveryRecord(
  connection: Connection,
  options: SubscriptionOptions = {},
): RecordSubscription<CurveRecord | UnknownRecord> {
  requireKnown('options', options, ...SUBSCRIPTION_OPTIONS);
  requireConnection(connection, 'onLogs');
  const { deployment = DEFAULT_DEPLOYMENT, from = 'now', onError } = options;
  const { programId: address } = deployment;
  const transactions = new NodeTransactions(connection, { ...nodeOptions(options), address, live: true });
  async function* records(): AsyncGenerator<CurveRecord | UnknownRecord> {
    for await (const item of transactions.run()) {
      if (item !== 'caughtUp') yield* readRecords(item, { from, deployment, onError });
    }
  }
  return { ready: transactions.ready, close: () => transactions.close(), [Symbol.asyncIterator]: records };
}

async function* known(records: AsyncIterable<CurveRecord | UnknownRecord>): AsyncGenerator<CurveRecord> {
  for await (const record of records) {
    if (record.kind !== 'unknown') yield record;
  }
}
