// Subscriptions to records over Kit.
import { requireKnown } from '../../checks/options.js';
import { SUBSCRIPTION_OPTIONS } from '../../feed/node/options.js';
import * as core from '../../feed/subscribe.js';
import type * as coreRecords from '../../records/record.js';
import { coreDeployment } from '../accounts/deployment.js';
import type { CurveRecord } from '../records.js';
import { coreStart, kitRecord } from './convert.js';
import { nodeConnection, requireNode, type FeedNode } from './node.js';
import type { AnyRecord, RecordSubscription, SubscriptionOptions } from './options.js';

/**
 * Subscribes to the program's records, like `subscribeRecords` of the main entry.
 *
 * @throws InvalidArgumentError for an option out of range, a `from` that is not a record's source, and a node without
 *   its two clients
 */
export function subscribeRecords(node: FeedNode, options: SubscriptionOptions = {}): RecordSubscription {
  return kitSubscription<CurveRecord>(core.subscribeRecords, node, options);
}

/**
 * Like {@link subscribeRecords}, and delivers records that this version of the SDK does not know as `kind: 'unknown'`.
 */
export function subscribeEveryRecord(
  node: FeedNode,
  options: SubscriptionOptions = {},
): RecordSubscription<AnyRecord> {
  return kitSubscription<AnyRecord>(core.subscribeEveryRecord, node, options);
}

type CoreRecord = coreRecords.CurveRecord | coreRecords.UnknownRecord;

function kitSubscription<R extends AnyRecord>(
  subscribe: (...params: Parameters<typeof core.subscribeRecords>) => core.RecordSubscription<CoreRecord>,
  node: FeedNode,
  given: SubscriptionOptions,
): RecordSubscription<R> {
  requireKnown('options', given, ...SUBSCRIPTION_OPTIONS);
  const { from, deployment, ...options } = given;
  requireNode(node, ['rpc', 'rpcSubscriptions']);
  const connection = nodeConnection(node, options.onError);
  const records = subscribe(connection, {
    ...options,
    from: coreStart(from),
    deployment: coreDeployment(deployment),
  });
  async function* read() {
    for await (const record of records) yield kitRecord(record) as R;
  }
  return { ready: records.ready, close: () => records.close(), [Symbol.asyncIterator]: read };
}
