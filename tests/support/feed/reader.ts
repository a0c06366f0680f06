import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { decodeRecords, recordKey } from '@curvekit/sdk';
import type { AnyRecord, Feed, FeedEvent } from '@curvekit/sdk/feed';
import type { SentTransaction } from '@curvekit/testing';

export const keysOf = (sent: readonly SentTransaction[]): string[] =>
  sent.flatMap(({ transaction }) => decodeRecords(transaction)).map(recordKey);

export class Reader<Source extends AsyncIterable<FeedEvent<AnyRecord>> = Feed<AnyRecord>> {
  readonly events: FeedEvent<AnyRecord>[] = [];
  readonly done: Promise<unknown>;

  constructor(readonly feed: Source) {
    this.done = this.#read().catch((error: unknown) => error);
  }

  async #read(): Promise<void> {
    for await (const event of this.feed) this.events.push(event);
  }

  get records(): AnyRecord[] {
    return this.events.flatMap((event) => (event.type === 'records' ? event.records : []));
  }

  get keys(): string[] {
    return this.records.map(recordKey);
  }

  async until(isThere: () => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!isThere() && Date.now() < deadline) await sleep(5);
  }

  /** Waits for these keys, and a little longer in case more follow. */
  async expectKeys(expected: readonly string[]): Promise<void> {
    await this.until(() => this.keys.length >= expected.length);
    await sleep(50);
    expect(this.keys).to.deep.equal(expected);
  }
}
