// The feed and subscriptions with Kit. sdk/test/cluster/feed.test.ts also covers them; here are the differences: types, clients, websocket.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSolanaRpc, type Address } from '@solana/kit';
import { expect } from 'chai';
import { decodeRecords, PROGRAM_ADDRESS, recordKey } from '@curvekit/sdk';
import type { FeedNode, SourceRequest } from '@curvekit/sdk/kit/feed';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { kitNode } from '../../../tests/support/feed/libraries.js';
import { KIT_MAJORS, kitFeed, type KitFeed } from '../../../tests/support/kit/kit-entry.js';
import { Proxy } from '../../../tests/support/network/proxy.js';
import { buyTokens, launch, type Token } from '../../../tests/support/program/tokens.js';

const AN_HOUR = 3_600_000;

for (const major of KIT_MAJORS) {
  describe(`the feed and subscriptions with ${major}`, function () {
    this.timeout(60_000);
    const cluster = useCluster();
    let kit: KitFeed;
    let rpc: Proxy;
    let websocket: Proxy;
    let node: FeedNode;
    let token: Token;

    before(async () => {
      kit = await kitFeed(major);
      rpc = await Proxy.to(cluster().rpcUrl);
      websocket = await Proxy.to(cluster().wsUrl);
      node = kitNode({ rpcUrl: rpc.url, wsUrl: websocket.url });
      token = await launch(cluster());
      await buyTokens(cluster(), token, cluster().payer, SOL);
    });

    after(() => Promise.all([rpc.cut(), websocket.cut()]));

    const mints = () => [token.mint.toBase58() as Address];

    async function history(options: Parameters<typeof kit.fetchHistory>[1]) {
      const records = [];
      for await (const record of kit.fetchHistory({ rpc: node.rpc }, options)) records.push(record);
      return records;
    }

    it('reads a token’s history with only an RPC client: addresses are strings, slots bigints', async () => {
      const [created, bought] = await history({ mints: mints() });
      expect(created).to.deep.include({ kind: 'create', slot: BigInt(token.created.slot) });
      expect(created!.data).to.deep.include({ mint: mints()[0], creator: String(cluster().payer.publicKey) });
      expect(bought!.kind).to.equal('trade');
      expect(await history({ mints: mints(), from: created! })).to.deep.equal([bought]);
    });

    it('passes addresses to a custom source, and passes on the error that the source throws', async () => {
      const asked: SourceRequest[] = [];
      const [from] = await history({ mints: mints() });
      const feed = kit.openFeed(
        {
          // oxlint-disable-next-line require-yield
          async *transactions(request) {
            asked.push(request);
            await Promise.resolve();
            throw new Error('no stream');
          },
        },
        { mints: mints(), from: from! },
      );
      const failure = await feed.ready.catch((error: unknown) => error);
      expect(failure).to.include({ message: 'no stream' });
      expect(asked[0]).to.include({ programId: PROGRAM_ADDRESS.toBase58(), live: true });
      // A pool's trades mention the token, not its curve.
      expect(asked[0]!.mentions).to.deep.equal([token.mint.toBase58()]);
      expect(asked[0]!.from).to.deep.include({ signature: from!.signature, slot: from!.slot });
    });

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
