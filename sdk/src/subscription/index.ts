// A live stream of records.
import type { Connection } from '@solana/web3.js';
import type { CurveRecord, UnknownRecord } from '../records/record.js';
import type { RecordSubscription, SubscriptionOptions } from './options.js';
import { Subscription } from './subscription.js';

export type { RecordSubscription, SubscriptionOptions } from './options.js';

/**
 * Subscribes to the program's records.
 *
 * Iteration throws IncompleteTransactionError when the node does not have what a record needs: a transaction it no
 * longer keeps, inner instructions, a whole log; and CurvekitError when it refuses a request and always will.
 *
 * @throws InvalidArgumentError for an option out of range, and a `from` that is not a record's source
 */
export function subscribeRecords(
  connection: Connection,
  options: SubscriptionOptions = {},
): RecordSubscription {
  const all = new Subscription(connection, options);
  return {
    ready: all.ready,
    close: () => all.close(),
    [Symbol.asyncIterator]: () => known(all.run()),
  };
}

/** Like {@link subscribeRecords}, with the records that this version of the SDK does not know as `kind: 'unknown'`. */
export function subscribeEveryRecord(
  connection: Connection,
  options: SubscriptionOptions = {},
): RecordSubscription<CurveRecord | UnknownRecord> {
  const all = new Subscription(connection, options);
  return { ready: all.ready, close: () => all.close(), [Symbol.asyncIterator]: () => all.run() };
}

async function* known(records: AsyncIterable<CurveRecord | UnknownRecord>): AsyncGenerator<CurveRecord> {
  for await (const record of records) {
    if (record.kind !== 'unknown') yield record;
  }
}
