// The feed and subscriptions with Kit. sdk/test/cluster/feed.test.ts also covers them; here are the differences: types, clients, websocket.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSolanaRpc } from '@solana/kit';
import { expect } from 'chai';
import { decodeRecords, recordKey } from '@curvekit/sdk';
import type { FeedNode } from '@curvekit/sdk/kit/feed';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { kitNode } from '../../../tests/support/feed/libraries.js';
import { KIT_MAJORS, kitFeed, type KitFeed } from '../../../tests/support/kit/kit-entry.js';
import { Proxy } from '../../../tests/support/network/proxy.js';
import { launch } from '../../../tests/support/program/tokens.js';

const AN_HOUR = 3_600_000;

for (const major of KIT_MAJORS) {
  describe(`the feed and subscriptions with ${major}`, () => {
    const cluster = useCluster();
    let kit: KitFeed;
    let rpc: Proxy;
    let websocket: Proxy;
    let node: FeedNode;

    before(async () => {
      kit = await kitFeed(major);
      rpc = await Proxy.to(cluster().rpcUrl);
      websocket = await Proxy.to(cluster().wsUrl);
      node = kitNode({ rpcUrl: rpc.url, wsUrl: websocket.url });
    });

    after(() => Promise.all([rpc.cut(), websocket.cut()]));

    it('subscribes to records, again when the websocket comes back, and ends at once when it is closed', async () => {
      const errors: unknown[] = [];
      const onError = (error: unknown) => {
        errors.push(error);
        throw new Error('an observer that fails');
      };
      const subscription = kit.subscribeRecords(node, { pollIntervalMs: AN_HOUR, onError });
      await subscription.ready;
      const keys: string[] = [];
      const reading = (async () => {
        for await (const record of subscription) keys.push(kit.recordKey(record));
      })();
      const expectNext = async (count: number) => {
        const tokens = [];
        for (let index = 0; index < count; index++) tokens.push(await launch(cluster()));
        const expected = tokens.flatMap(({ created }) => decodeRecords(created.transaction)).map(recordKey);
        const deadline = Date.now() + 20_000;
        while (keys.length < count && Date.now() < deadline) await sleep(10);
        expect(keys.splice(0)).to.deep.equal(expected);
      };
      await expectNext(3);
      await websocket.cut();
      await sleep(500);
      expect(errors).not.to.deep.equal([]);
      await websocket.restore();
      await sleep(3_000);
      await expectNext(2);
      await websocket.cut();
      await sleep(1_000);
      const before = Date.now();
      await subscription.close();
      await reading;
      expect(Date.now() - before).to.be.lessThan(500);
      await websocket.restore();
    });

    it('refuses a node without its clients, and names the one that is missing', () => {
      const alone = createSolanaRpc(rpc.url);
      const openings: [client: string, work: (given: never) => unknown, given: unknown][] = [
        ['rpc', kit.openFeed, undefined],
        ['rpc', kit.openFeed, alone],
        ['rpcSubscriptions', kit.openFeed, { rpc: alone }],
        ['rpcSubscriptions', kit.nodeSource, { rpc: alone }],
        ['rpcSubscriptions', kit.subscribeRecords, { rpc: alone }],
        ['rpcSubscriptions', kit.subscribeEveryRecord, { rpc: alone }],
        ['rpc', kit.fetchHistory, alone],
        ['rpc', kit.fetchHistory, null],
      ];
      for (const [client, work, given] of openings)
        expect(() => work(given as never))
          .to.throw(kit.InvalidArgumentError)
          .with.property('argument', client);
    });
  });
}
