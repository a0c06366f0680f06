// The events of the market stream on a real chain must equal the answers of the Market API. threat: reorg-chart
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { unfinalized } from '#app/db/schema/index.js';
import { migrate } from '@curvekit/sdk';
import { statement } from '#app/db/database.js';
import type { NumberedRecord } from '#app/index/records.js';
import { dropPreviews } from '#app/index/store/previews.js';
import { marketHooks } from '#app/market/books/book-tokens.js';
import { openMarketStream, type MarketTopic } from '#sdk/http/market/stream.js';
import type { MarketEvent } from '#sdk/http/market/events.js';
import { SOL } from '#tests/constants.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { buyTokens, launch, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';
import { eventually } from '#tests/service/service.js';

/** Limit for the fastest of seven trades. On a busy machine the slowest take much longer. */
const FASTEST_MS = 1_000;

describe(`market events of the chain (${DATABASE_KIND})`, () => {
  const cluster = useKeyHeldCluster();
  let scene: MarketScene;

  before(async () => (scene = await startMarketScene(cluster())));
  after(() => scene?.service.stop());

  it("equal the Market API's answers for a token, its trades, its graduation and its migration", async () => {
    const trader = await cluster().fundedWallet(200n * SOL);
    const mint = Keypair.generate();
    const topics: MarketTopic[] = [`token:${mint.publicKey.toBase58()}`];
    const events: MarketEvent[] = [];
    const boardEvents: MarketEvent[] = [];
    const open = (of: readonly MarketTopic[], into: MarketEvent[]) =>
      openMarketStream({ baseUrl: scene.service.url, topics: of, onEvent: (event) => into.push(event) });
    const streams = [
      open(topics, events),
      open(['board'], boardEvents),
      open([`wallet:${trader.publicKey.toBase58()}`], []),
    ];
    await eventually(() => streams.every(({ lastEventId }) => lastEventId !== undefined), 'the streams');
    const untilThere = (type: MarketEvent['type'], count = 1) =>
      eventually(
        () => events.filter((event) => event.type === type).length >= count,
        () => `${count} ${type} of ${events.map((event) => event.type).join()}`,
      );
    const token = await launch(cluster(), { name: 'Told', symbol: 'TOLD' }, cluster().payer, mint);
    await untilThere('token');
    expect(events[0]!.data).to.include({
      name: 'Told',
      status: 'trading',
      venue: 'curve',
      trades: 0,
      lastTradeAt: null,
    });

    // From a trade's confirmation to its event: pushed, not polled.
    const took: number[] = [];
    for (let count = 1; count <= 7; count += 1) {
      await buyTokens(cluster(), token, trader, SOL / 10n);
      const confirmedAt = performance.now();
      await untilThere('trade', count);
      took.push(performance.now() - confirmedAt);
    }
    expect(Math.min(...took), `milliseconds, all: ${took.join()}`).to.be.lessThan(FASTEST_MS);

    await buyTokens(cluster(), token, trader, WHOLE_CURVE_LAMPORTS);
    await untilThere('graduated');
    const { feeReceiver, deployment } = cluster();
    const migration = migrate({ mint: token.mint, deployment });
    const { signature } = await cluster().send(migration, [feeReceiver]);
    await untilThere('migrated');
    expect(events.find(({ type }) => type === 'migrated')!.data).to.deep.equal({
      mint: token.mint.toBase58(),
      signature,
      pool: null,
    });
    const { items } = await scene.get.trades(token);
    const told = events.flatMap((event) => (event.type === 'trade' ? [event.data] : []));
    const withoutFinality = (trade: (typeof items)[number]) => ({ ...trade, finalized: true });
    expect(told.map(withoutFinality)).to.deep.equal([...items].reverse().map(withoutFinality));
    // An update about the token's picture may come after the migration's update.
    const lastUpdate = (followed: readonly MarketEvent[]) =>
      followed.flatMap((event) => (event.type === 'update' ? [event.data] : [])).at(-1);
    for (const followed of [events, boardEvents])
      await eventually(
        () => lastUpdate(followed)?.status === 'migrated',
        () => `the last update of ${followed.map(({ type }) => type).join()}`,
      );
    const detail = await scene.get.token(token);
    for (const followed of [events, boardEvents]) expect(detail).to.deep.include(lastUpdate(followed));
    for (const stream of streams) stream.close();
  });

  describe('after a backfill or a reorg', () => {
    const database = useDatabase({ each: true });

    const written = () =>
      statement<{ type: string; data: string }>(database.queries)`
        select type, data from market_events order by id`;
    const mint = Keypair.generate().publicKey;
    /** The record of a token's creation, whose rows already exist. */
    const creation = async (timestamp: number) => {
      await storeToken(database.queries, { mint: mint.toBase58() });
      await database.queries.insert(unfinalized).values({ id: 1n, venue: 'curve' });
      const data = { mint, name: 'Token', symbol: 'TOK', timestamp: BigInt(timestamp) };
      const reserves = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
      const record = {
        kind: 'create',
        id: 1n,
        signature: 'signature',
        slot: 1,
        data: { ...data, ...reserves },
      };
      return record as unknown as NumberedRecord;
    };

    it('contain no event per backfilled record, but one reset', async () => {
      const old = await creation(Math.floor(Date.now() / 1_000) - 3_600);
      await database.transaction((tx) =>
        marketHooks.onStored(tx, { records: [old], trades: [], finalized: true }),
      );
      await database.transaction((tx) =>
        marketHooks.onStored(tx, { records: [], trades: [], finalized: true }),
      );
      expect(await written()).to.deep.equal([{ type: 'reset', data: '{}' }]);
    });

    it('contain the first trade that a reorg has removed', async () => {
      const fresh = await creation(Math.floor(Date.now() / 1_000));
      await database.transaction((tx) =>
        marketHooks.onStored(tx, { records: [fresh], trades: [], finalized: false }),
      );
      await database.transaction(async (tx) => {
        const dropped = await dropPreviews(tx, 1n);
        await marketHooks.onDropped(tx, dropped);
      });
      const events = await written();
      expect(events.map(({ type }) => type)).to.deep.equal(['token', 'dropped']);
      expect(JSON.parse(events[1]!.data)).to.deep.equal({ mint: mint.toBase58(), fromId: '1' });
    });
  });
});
