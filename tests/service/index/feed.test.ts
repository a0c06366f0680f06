// The indexer on a Yellowstone gRPC feed that works, and on feeds that do everything wrong: the index is always that of the
// RPC node alone. threat: false-feed, altered-feed, broken-feed
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import { indexProgress } from '#app/index/lag.js';
import { feedSlot } from '#app/index/feed/connection.js';
import { YellowstoneSource } from '#app/index/feed/yellowstone.js';
import { reindex } from '#app/index/store/state.js';
import { statement, type Database } from '#app/db/database.js';
import { marketHooks } from '#app/market/books/book-tokens.js';
import type { Metrics } from '#app/base/metrics.js';
import { openTestDatabase } from '#tests/database/database.js';
import type { Intent } from '#tests/node/forking-chain.js';
import { useIndexedChain } from '#tests/node/indexed-chain.js';
import { confirmed, sent, startYellowstone, type YellowstoneServer } from '#tests/node/yellowstone-server.js';
import { eventually } from '#tests/service/service.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

const SLOT_MS = 400;
const TOKEN = 'a-secret-of-the-feed';
const TIMES = { silenceMs: 3_000, firstRetryMs: 20, longestRetryMs: 50 };
/** Three transactions of a block. */
const BUYS: readonly (readonly Intent[])[] = [
  [{ kind: 'buy', token: 0, lamports: SOL / 100n }],
  [{ kind: 'sell', token: 0, units: 1_000_000n }],
  [
    { kind: 'buy', token: 0, lamports: SOL / 50n },
    { kind: 'buy', token: 0, lamports: SOL / 25n },
  ],
];

/** What the feed sends of a block. */
type Updates = ReturnType<typeof sent>[];

describe('the indexer on a gRPC feed', () => {
  const at = useFedIndexer();

  it('subscribes to the program and to confirmed slots, and shows trades without asking the RPC node', async () => {
    const { transactions, slots, commitment } = at.feed.requests[0]!;
    expect(transactions['curvekit']).to.deep.include({
      accountInclude: [DEFAULT_DEPLOYMENT.programId.toBase58()],
      vote: false,
      failed: false,
    });
    expect(slots['curvekit']!.filterByCommitment).to.equal(true);
    expect(commitment).to.equal(1);
    at.listed = 0;
    for (let block = 0; block < 5; block += 1) await at.trade();
    expect(at.listed, 'lists').to.equal(0);
    await at.expectSame();
    expect(at.asked).to.deep.equal([]);
    expect(await at.count('used')).to.equal(15);
    expect(await at.isDown()).to.equal(false);
  });

  it('reads creations, migrations, failed transactions, and those without a record', async () => {
    at.chain.execute([
      [{ kind: 'create' }],
      [{ kind: 'nothing' }],
      [{ kind: 'buy', token: 1, lamports: 1_000n * SOL }],
      [{ kind: 'sell', token: 1, units: 10n ** 18n }],
    ]);
    await at.send();
    await at.engine.preview(NEVER_ABORTED);
    at.chain.execute([[{ kind: 'migrate', token: 1 }]]);
    await at.send();
    await at.expectSame();
    expect(at.asked).to.deep.equal([]);
    expect(at.chain.records().map(({ kind }) => kind)).to.include('migrate');
  });

  it('books what the feed skips, and then lets the list of the RPC node decide', async () => {
    await at.trade();
    await at.trade(([first, , third]) => [first!, third!]);
    await at.trade();
    await at.expectBooked();
    expect(at.asked).to.not.deep.equal([]);
    await at.trade(([first, , third]) => [first!, third!]);
    await at.expectSame();
    expect(await at.count('missed')).to.be.greaterThan(0);
  });

  it('shows nothing twice that the feed repeats', async () => {
    await at.trade((all) => [...all, ...all]);
    await at.trade((all) => [...all, ...all]);
    await at.expectSame();
    expect(await at.count('repeated')).to.equal(6);
    expect(at.asked).to.deep.equal([]);
  });

  it('shows nothing twice that the RPC node listed before the feed sent it', async () => {
    await at.open();
    await at.engine.book(NEVER_ABORTED);
    await at.reached();
    at.tip = at.chain.slot('confirmed');
    const blocks = [1, 2].map(() => {
      at.chain.execute(BUYS);
      return { updates: at.newest(), slot: at.chain.slot('confirmed') };
    });
    await at.engine.preview(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: false });
    at.tip = undefined;
    for (const { updates, slot } of blocks) {
      for (const update of updates) at.feed.send(update);
      await at.told(slot);
      await at.engine.preview(NEVER_ABORTED);
    }
    expect(await at.count('missed')).to.equal(0);
    await at.expectSame();
  });

  it('books transactions that come after their slot', async () => {
    await at.trade(() => []);
    const late = at.newest();
    await at.trade();
    for (const update of late) at.feed.send(update);
    await at.trade();
    await at.expectBooked();
  });

  it('asks the RPC node for a transaction that is not as the node lists it', async () => {
    type Sent = NonNullable<NonNullable<Updates[number]['transaction']>['transaction']>;
    const wrong: readonly ((one: Sent, other: Sent) => unknown)[] = [
      // Another transaction's body.
      (one, other) => (one.transaction = other.transaction),
      // A failed one.
      (one) => (one.meta!.err = { err: Uint8Array.of(1) }),
      // Without inner instructions.
      (one) => (one.meta!.innerInstructionsNone = true),
      // Without the keys of its lookup tables.
      (one) => one.transaction!.message!.accountKeys.pop(),
    ];
    for (const change of wrong)
      await at.trade(
        ([other, one]) => void change(one!.transaction!.transaction!, other!.transaction!.transaction!),
      );
    expect(await at.count('mismatched')).to.equal(wrong.length);
    expect(at.asked).to.have.lengthOf(wrong.length);
    await at.expectSame();
    expect(at.log).to.contain('is not as listed');
  });

  it('drops a transaction that only the feed has', async () => {
    await at.trade((all) => {
      const invented = structuredClone(all[2]!);
      const signature = new Uint8Array(64).fill(7);
      invented.transaction!.transaction!.signature = signature;
      invented.transaction!.transaction!.transaction!.signatures = [signature];
      return [...all, invented];
    });
    await at.expectBooked();
    await at.trade();
    await at.expectSame();
  });

  it('drops a block that only the feed has, although it continues the curve', async () => {
    await at.trade();
    at.chain.execute(BUYS);
    const invented = at.newest();
    at.chain.fork(1, () => false);
    at.chain.execute([]);
    await at.send(invented);
    await at.engine.preview(NEVER_ABORTED);
    expect(await at.count('used')).to.equal(6);
    await at.expectBooked();
    await at.trade();
    await at.expectSame();
  });

  it('does not believe a feed about the slot of a transaction', async () => {
    const before = () => String(at.chain.slot('confirmed') - 1);
    await at.trade((all) => void (all[2]!.transaction!.slot = before()));
    await at.expectBooked();
    // In their order, so that only the list shows that it is another slot.
    at.chain.execute([]);
    await at.trade((all) => all.forEach(({ transaction }) => (transaction!.slot = before())));
    await at.expectBooked();
  });

  it('tells no price of a slot far ahead, which nothing would contradict', async () => {
    await at.trade();
    at.chain.execute(BUYS);
    const invented = at.newest();
    at.chain.fork(1, () => false);
    at.chain.execute([]);
    const far = 2 ** 40;
    for (const { transaction } of invented) transaction!.slot = String(far);
    await at.send(invented);
    for (const _ of [1, 2]) await at.engine.tellNewest();
    const told = await statement(at.database.queries)`
      select from market_events where data like ${`%"aheadSlot":${far}%`}`;
    expect(told).to.deep.equal([]);
    await at.trade();
    await at.expectSame();
  });

  it('goes on with the RPC node while the feed is silent, and with the feed afterwards', async () => {
    await at.trade();
    await at.untilEnd('silent');
    expect(await at.isDown()).to.equal(true);
    at.chain.execute(BUYS);
    await at.engine.preview(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: false });
    expect(at.asked).to.have.lengthOf(3);
    await at.joined();
    await at.trade();
    await at.expectSame();
    expect(at.asked).to.have.lengthOf(3);
  });

  const ends: Record<string, () => void> = {
    disconnected: () => at.feed.hangUp(),
    garbage: () => at.feed.sendBytes(Buffer.from([0x22, 0xff, 0xff, 0x03, 1, 2, 3])),
  };
  for (const [reason, end] of Object.entries(ends))
    it(`connects again after its connection has ended: ${reason}`, async () => {
      await at.trade();
      end();
      await at.untilEnd(reason, reason === 'garbage' ? end : undefined);
      at.chain.execute(BUYS);
      await at.joined();
      await at.trade();
      await at.expectSame();
      expect(at.asked).to.have.lengthOf(3);
    });

  it('names a feed that refuses its token, and goes on with the RPC node', async () => {
    await at.open({ token: 'another' });
    await at.untilEnd('refused');
    at.chain.execute(BUYS);
    await at.expectSame();
    expect(at.log).to.contain('No valid auth token');
    expect(at.log).to.not.contain('another');
  });

  it('asks the RPC node for what does not fit into memory', async () => {
    await at.open({ most: 4 });
    await at.joined();
    await at.sendBlocks(4);
    await at.engine.preview(NEVER_ABORTED);
    await at.expectSame();
    expect(at.asked.length).to.be.greaterThan(0);
  });

  describe('that brings more than can be written', () => {
    beforeEach(async () => {
      await at.open({ atOnce: 3 });
      await at.joined();
      await at.sendBlocks(4);
      at.listed = 0;
    });
    /** All that waits, and what follows, without a question about a transaction. */
    const showRest = async () => {
      while (at.engine.isBehind) {
        await at.engine.preview(NEVER_ABORTED);
        await at.engine.book(NEVER_ABORTED);
      }
      await at.trade();
      await at.expectSame();
      expect(at.asked).to.deep.equal([]);
    };
    const msBehind = async () => {
      const connection = {
        getSlot: () => Promise.resolve(at.chain.slot('finalized')),
      } as unknown as Connection;
      return (await indexProgress({ connection, database: at.database })).ageMs;
    };

    it('shows the oldest first, the newest price at once, and books no further than it shows', async () => {
      await at.engine.preview(NEVER_ABORTED);
      expect(at.engine.isBehind).to.equal(true);
      expect(await msBehind()).to.equal(3 * SLOT_MS);
      // What is new at the first call waits at the second.
      for (const _ of [1, 2]) await at.engine.tellNewest();
      const [update] = await statement<{ data: string }>(at.database.queries)`
        select data from market_events where type = 'update' order by id desc limit 1`;
      const newest = at.chain.records().findLast(({ kind }) => kind === 'trade');
      const { virtualSol, virtualToken } = newest!.data as { virtualSol: bigint; virtualToken: bigint };
      expect(JSON.parse(update!.data)).to.deep.include({
        virtualSol: String(virtualSol),
        virtualToken: String(virtualToken),
        aheadSlot: newest!.slot,
      });
      at.chain.finalize(Infinity);
      await at.engine.book(NEVER_ABORTED);
      expect(await at.finalizedTrades()).to.be.lessThan(at.chain.records().length - 8);
      await showRest();
      expect(await msBehind()).to.equal(0);
    });

    it('keeps what came before a disconnection', async () => {
      await at.engine.preview(NEVER_ABORTED);
      at.feed.hangUp();
      await at.untilEnd('disconnected');
      await at.reached();
      await showRest();
    });
  });

  it('follows a reorg', async () => {
    await at.trade();
    await at.trade();
    at.chain.fork(1, (index) => index !== 1);
    await at.send();
    await at.engine.preview(NEVER_ABORTED);
    await at.expectBooked();
    await at.trade();
    await at.expectSame();
  });

  it('tells its slot', async () => {
    at.feed.slot = 1_234;
    expect(await feedSlot({ url: at.feed.url, token: TOKEN })).to.equal(1_234);
    const refused = await feedSlot({ url: at.feed.url, token: undefined }).catch(
      (error: Error) => error.message,
    );
    expect(refused).to.contain('No valid auth token');
  });
});

/** An indexer's engine on a feed and on an RPC node of one chain, and the index that the RPC node alone gives. */
function useFedIndexer() {
  const model = useIndexedChain();
  const at = Object.assign(model.at, {
    /** Transactions that the RPC node was asked for. */
    asked: [] as string[],
    /** Lists that it was asked for. */
    listed: 0,
    log: '',
    /** Slot that the RPC node tells, if not its own. */
    tip: undefined as number | undefined,
    feed: undefined as unknown as YellowstoneServer,
  });
  let byNode: Database;
  let source: YellowstoneSource | undefined;
  /** Subscriptions that the test has waited for. */
  let met: number;

  before(async () => (byNode = await openTestDatabase()));
  beforeEach(async () => {
    await reindex(byNode);
    for (const each of [at.database, byNode])
      await each.queries.execute(sql`truncate indexer_state restart identity`);
    [at.asked, at.listed, at.log, at.tip] = [[], 0, '', undefined];
    at.served.instead = ({ method, params }) => {
      if (method === 'getSlot' && at.tip !== undefined) return { result: at.tip };
      if (method === 'getTransaction') at.asked.push(params[0] as string);
      if (method === 'getSignaturesForAddress') at.listed += 1;
      return undefined;
    };
    at.feed = await startYellowstone(TOKEN);
    at.chain.finalize(Infinity);
    met = 0;
    await open();
    await at.engine.book(NEVER_ABORTED);
    await joined();
    at.asked = [];
  });
  afterEach(() => {
    source?.stop();
    at.feed.stop();
  });
  after(() => byNode.close());

  /** Opens the indexer's engine, as after a start of the service. */
  async function open({ most = 1_000, atOnce = 1_000, token = TOKEN } = {}): Promise<void> {
    source?.stop();
    const logger = pino({ level: 'trace' }, { write: (line: string) => void (at.log += line) });
    const address = { url: at.feed.url, token };
    source = new YellowstoneSource({ deployment: DEFAULT_DEPLOYMENT, logger, metrics: at.metrics }, address, {
      ...{ intervalMs: 50, times: TIMES, most, atOnce },
    });
    at.engine = await model.engineOn(at.database, source, [marketHooks]);
  }

  /** Waits for a subscription, and lets the indexer go on from the RPC node's list to the feed. */
  async function joined(): Promise<void> {
    await reached();
    await at.engine.preview(NEVER_ABORTED);
    await at.engine.preview(NEVER_ABORTED);
  }

  async function reached(): Promise<void> {
    await eventually(() => at.feed.open === 1 && at.feed.subscriptions > met, 'a subscription');
    met = at.feed.subscriptions;
    await told(at.chain.slot('confirmed'));
  }

  /** Confirms a slot, and waits until the feed has told the indexer. */
  async function told(slot: number): Promise<void> {
    const isTold = () => {
      at.feed.send(confirmed(slot));
      return Promise.resolve((source!.newest() ?? 0) >= slot);
    };
    await eventually(isTold, `slot ${slot} of the feed`);
  }

  /** The transactions of the newest slot as the feed sends them. */
  function newest() {
    const slot = at.chain.slot('confirmed');
    return at.chain
      .list('confirmed')
      .filter((one) => one.slot === slot && one.err === null)
      .reverse()
      .map(({ signature }, index) => sent(at.chain.transaction(signature, 'confirmed')!, index));
  }

  /** Sends updates of the newest slot, and tells the slot. */
  async function send(updates: Updates = newest()): Promise<void> {
    for (const update of updates) at.feed.send(update);
    await told(at.chain.slot('confirmed'));
  }

  async function sendBlocks(count: number): Promise<void> {
    for (let block = 0; block < count; block += 1) {
      at.chain.execute(BUYS);
      await send();
    }
  }

  /** Adds a block of trades, and sends what `change` makes of it. */
  async function trade(change: (updates: Updates) => Updates | void = (all) => all) {
    at.chain.execute(BUYS);
    const updates = newest();
    await send(change(updates) ?? updates);
    await at.engine.preview(NEVER_ABORTED);
  }

  /** The index shows the whole confirmed chain; then everything is finalized and booked as the RPC node alone would. */
  async function expectSame(): Promise<void> {
    await at.engine.preview(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: false });
    await expectBooked();
  }

  async function expectBooked(): Promise<void> {
    at.chain.finalize(Infinity);
    await at.engine.book(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: true });
    const before = [...at.asked];
    const alone = await model.engineOn(byNode);
    await alone.book(NEVER_ABORTED);
    at.asked = before;
    expect(await rowsIn(at.database)).to.deep.equal(await rowsIn(byNode));
    expect((await at.metrics.indexerGaps.get()).values[0]!.value).to.equal(0);
  }

  /** Everything but the ids, which have gaps after a reorg. */
  const rowsIn = async (of: Database) => [
    await statement(of.queries)`
      select signature, "outer", "inner", slot, kind, finalized from records order by id`,
    await statement(of.queries)`
      select mint, status, virtual_sol, virtual_token, buys, sells, sol_paid, fees from curve_states order by mint`,
  ];

  const valueOf = async (counter: Metrics['feedTransactions' | 'feedDisconnects'], label: string) =>
    (await counter.get()).values.find(({ labels }) => Object.values(labels).includes(label))?.value ?? 0;

  return Object.assign(at, {
    ...{ open, joined, reached, told, newest, send, sendBlocks, trade, expectSame, expectBooked },
    /** Transactions of the feed with an outcome. */
    count: (outcome: string) => valueOf(at.metrics.feedTransactions, outcome),
    /** Waits until a connection has ended for a reason. @param again called until then */
    untilEnd: (reason: string, again: () => void = () => undefined) =>
      eventually(async () => {
        again();
        return (await valueOf(at.metrics.feedDisconnects, reason)) > 0;
      }, `a connection that ends: ${reason}`),
    finalizedTrades: async () =>
      (await statement(at.database.queries)`select from records where kind = 'trade' and finalized`).length,
    isDown: async () => (await at.metrics.feedDown.get()).values[0]!.value === 1,
  });
}
