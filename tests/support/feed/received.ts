// Collects what subscriptions deliver.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection } from '@solana/web3.js';
import { expect } from 'chai';
import {
  recordKey,
  subscribeRecords,
  type CurveRecord,
  type RecordSubscription,
  type SubscriptionOptions,
} from '@curvekit/sdk';

/** The records that a subscription has delivered so far. */
export class Received {
  readonly records: CurveRecord[] = [];
  /** Resolves when the iteration ends. */
  readonly done: Promise<void>;

  constructor(readonly subscription: RecordSubscription) {
    this.done = this.#collect();
  }

  async #collect(): Promise<void> {
    for await (const record of this.subscription) this.records.push(record);
  }

  get keys(): string[] {
    return this.records.map(recordKey);
  }

  /** Waits for these keys, and a little longer in case more follow. */
  async expectKeys(expected: readonly string[]): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (this.records.length < expected.length && Date.now() < deadline) await sleep(10);
    await sleep(100);
    expect(this.keys).to.deep.equal(expected);
  }
}

/** Collects subscriptions, and closes them after each test of the surrounding `describe`. */
export function useSubscriptions() {
  const open: Received[] = [];
  afterEach(async () => {
    for (const { subscription, done } of open.splice(0)) {
      await subscription.close();
      await done;
    }
  });

  return async (connection: Connection, options: SubscriptionOptions = {}): Promise<Received> => {
    const received = new Received(subscribeRecords(connection, options));
    open.push(received);
    await received.subscription.ready;
    return received;
  };
}
