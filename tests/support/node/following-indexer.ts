// An indexer that follows a chain with reorgs, step by step. Its tables are compared with the chain at each preview and at the end.
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { DEFAULT_DEPLOYMENT, recordKey } from '@curvekit/sdk';
import { expireDay } from '#app/market/day-job.js';
import type { ClaimEnd } from '#app/claims/repository.js';
import { marketHooks } from '#app/market/books/book-tokens.js';
import { IndexerEngine, type EngineParts } from '#app/index/engine.js';
import type { Dropped, IndexHooks } from '#app/index/hooks.js';
import type { Trade } from '#app/index/trades/trade.js';
import { volumeHooks } from '#app/market/shares/volume.js';
import { NodeHistory } from '#app/index/node-history.js';
import { reindex } from '#app/index/store/state.js';
import { statement, type Transaction } from '#app/db/database.js';
import { LARGEST_ID, within, type IdRange } from '#app/db/statements.js';
import { pendingRewards } from '#app/db/schema/index.js';
import { createLogger } from '#app/base/logging/logging.js';
import { createMetrics } from '#app/base/metrics.js';
import { deletePending } from '#app/ledger/pending.js';
import { namedBy } from '../arbitraries/named-by.js';
import { expectIndexOf, expectTokensAndStates } from '../cluster/chain-records.js';
import { expectMarketOf } from '../database/market-rows.js';
import { useDatabase } from '../database/database.js';
import { chooseShares, expectShares, forgetShares, Payments } from './expected-shares.js';
import { ForkingChain, type Intent } from './forking-chain.js';
import { PartialNode } from './partial-node.js';
import { NEVER_ABORTED, SOL } from '../constants.js';

/** A minute then has only a few slots. */
const SLOT_SECONDS = 17;
const DAY = 86_400;

/** Signature and position of the records of a range, and their kinds, in order. */
export function recordsIn(tx: Transaction, range: IdRange): Promise<{ key: string; kind: string }[]> {
  return statement<{ key: string; kind: string }>(tx)`
    select concat_ws(':', signature, "outer", "inner") as key, kind from records where ${within('id', range)} order by id`;
}

/** Rewards every trade: as a pending row once confirmed, in table `booked` once finalized. */
const rewardEveryTrade: IndexHooks = {
  onConfirmedTrades: async (tx: Transaction, trades: readonly Trade[]) => {
    const rows = trades.map(({ id, trader, mint, fee }) => ({
      recordId: id,
      wallet: trader,
      mint,
      asset: 'SOL' as const,
      amount: fee,
    }));
    await tx.insert(pendingRewards).values(rows);
  },
  onFinalized: async (tx: Transaction, range: IdRange) => {
    await deletePending(tx, 'referral', range);
    for (const { key, kind } of await recordsIn(tx, range))
      if (kind === 'trade') await tx.execute(sql`insert into booked (key) values (${key})`);
  },
  onDropped: (tx: Transaction, { firstId }: Dropped) =>
    deletePending(tx, 'referral', { first: firstId, last: LARGEST_ID }),
};

const token = fc.nat(5);
const trading = namedBy('kind');
const intent: fc.Arbitrary<Intent> = fc.oneof(
  trading(1, 'create'),
  trading(5, 'buy', { token, lamports: fc.constantFrom(1_000_000n, SOL, 40n * SOL) }),
  trading(3, 'sell', {
    token,
    units: fc.constantFrom(1_000_000n, 1_000_000_000_000n, 30_000_000_000_000n),
  }),
  trading(1, 'migrate', { token }),
  trading(1, 'nothing'),
);

const groups: fc.Arbitrary<readonly (readonly Intent[])[]> = fc.array(
  fc.array(intent, { minLength: 1, maxLength: 3 }),
  { maxLength: 8 },
);
const weighed = namedBy('do');

export const step = fc.oneof(
  weighed(6, 'block', { groups }),
  weighed(2, 'fork', { depth: fc.integer({ min: 1, max: 4 }), pattern: fc.nat(255) }),
  weighed(3, 'finalize', { blocks: fc.integer({ min: 1, max: 4 }) }),
  weighed(3, 'book'),
  weighed(4, 'preview'),
  weighed(1, 'restart'),
  weighed(1, 'reindex'),
  weighed(1, 'age'),
  weighed(1, 'backup'),
  weighed(1, 'restore'),
  // Fees come to the treasury.
  weighed(2, 'fees', { lamports: fc.constantFrom(1_000n, SOL) }),
  // A wallet claims what it earned.
  weighed(4, 'claim', {
    which: fc.nat(255),
    end: fc.constantFrom<ClaimEnd>('COMPLETED', 'COMPLETED', 'FAILED', 'EXPIRED'),
  }),
  // The next trades are in another partition, or cross its border.
  weighed(1, 'partition', { before: fc.integer({ min: 1, max: 5 }) }),
);

/** `detach`: an operator takes the trades of the oldest partition out of the index. */
export type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) | { readonly do: 'detach' };

/** Opens a database for the surrounding `describe`. */
export function useFollowingIndexer() {
  const database = useDatabase({ paymentsOpen: true });
  /** The partition that was detached. */
  let oldest: string;

  before(async () => {
    await statement(database.queries)`create table booked (id serial primary key, key text unique not null)`;
  });

  /**
   * Runs the steps on a node that refuses to list from a transaction which a reorg removed (Agave since version 4), or on one
   * that then lists everything. Compares the tables with the chain's records whenever the engine is current.
   *
   * @returns how often they were compared with the confirmed chain
   */
  async function follow(steps: readonly Step[], isStrict = true): Promise<number> {
    await reindex(database);
    // A new chain, which may begin later than the one before.
    await database.queries.execute(sql`truncate booked, indexer_state restart identity`);
    await database.queries.execute(sql`update market_state set lapsed_to = 0`);
    await forgetShares(database);
    const chain = new ForkingChain(SLOT_SECONDS);
    const payments = new Payments(database);
    const node = await Object.assign(new PartialNode(chain), { isStrict }).start();
    let [previews, isWhole, shareBps, isSaved] = [0, true, 0, false];
    try {
      const tuning = {
        ...{ pageSize: 5, batchSize: 3, pagesAtOnce: 2, wholeBlockFrom: 3, lookupTimeoutMs: 1_000 },
        ...(isStrict && { readAheadFrom: 1 }),
      };
      const fail = (error: unknown) => {
        throw error;
      };
      /** An operator who changes the share at each restart. */
      const sharing = async () => {
        shareBps = shareBps === 3_333 ? 5_001 : 3_333;
        const volume = volumeHooks(shareBps);
        await volume.onBegin!(database, () => Promise.resolve(chain.slot('confirmed')));
        return { ...parts, hooks: [rewardEveryTrade, volume, marketHooks] };
      };
      const parts: Omit<EngineParts, 'hooks'> = {
        database,
        history: new NodeHistory(
          { rpcUrl: node.url, isSimulated: false },
          DEFAULT_DEPLOYMENT.programId.toBase58(),
          fail,
          tuning,
        ),
        deployment: DEFAULT_DEPLOYMENT,
        logger: createLogger('silent'),
        metrics: createMetrics({ ofProcess: false }),
        tuning,
      };
      let sharingParts = await sharing();
      let engine = await IndexerEngine.open(sharingParts);
      for (const each of [...steps, { do: 'preview' } as const]) {
        if (each.do === 'block') {
          chain.execute(each.groups);
          await chooseShares(database, chain.records());
        }
        if (each.do === 'fork') chain.fork(each.depth, (index) => ((each.pattern >> (index % 8)) & 1) === 1);
        if (each.do === 'finalize') chain.finalize(each.blocks);
        if (each.do === 'restart') engine = await IndexerEngine.open((sharingParts = await sharing()));
        if (each.do === 'reindex' && isWhole) {
          await reindex(database);
          await database.queries.execute(sql`truncate booked restart identity`);
          engine = await IndexerEngine.open(sharingParts);
        }
        if (each.do === 'backup') await payments.backUp();
        isSaved ||= each.do === 'backup';
        if (each.do === 'restore' && isSaved) {
          await payments.restore();
          engine = await IndexerEngine.open((sharingParts = await sharing()));
        }
        if (each.do === 'fees') await payments.takeFees(each.lamports, chain.slot('finalized'));
        if (each.do === 'claim') await payments.claim(each.which, each.end, chain.slot('finalized'));
        if (each.do === 'book') await bookAll(engine);
        if (each.do === 'age') await expireDay(database, DAY + (chain.slot('confirmed') - 5) * SLOT_SECONDS);
        if (each.do === 'partition')
          await statement(database.queries)`
            select setval('records_id_seq', greatest(last_value, trade_partitions_end() - ${each.before}::bigint)) from records_id_seq`;
        if (each.do === 'detach') {
          await detachOldest();
          isWhole = false;
        }
        if (each.do === 'preview' && engine.isCurrent) {
          await bookAll(engine);
          await engine.preview(NEVER_ABORTED);
          await expectState(chain, { finalized: false, isWhole });
          previews += 1;
        }
      }
      chain.finalize(Infinity);
      await bookAll(engine);
      // The first list may have been read ahead.
      await bookAll(engine);
      expect(await payments.book()).to.equal(true);
      await expectState(chain, { finalized: true, isWhole });
    } finally {
      await node.stop();
    }
    return previews;
  }

  async function bookAll(engine: IndexerEngine): Promise<void> {
    do await engine.book(NEVER_ABORTED);
    while (!engine.isCurrent);
  }

  async function detachOldest(): Promise<void> {
    const { queries } = database;
    const [first] = await statement<{ name: string }>(queries)`
      select tableoid::regclass::text as name from trade_rows order by id limit 1`;
    oldest = first!.name;
    // As when no minute of its trades is left.
    await queries.execute(sql`update market_state set minutes_from = lapsed_to + 1000000000`);
    await queries.execute(sql`select trade_partition_detach(${oldest})`);
    await queries.execute(sql`update market_state set minutes_from = 0`);
  }

  /** @param isWhole whether no trade is detached */
  async function expectState(
    chain: ForkingChain,
    { finalized, isWhole }: { readonly finalized: boolean; readonly isWhole: boolean },
  ): Promise<void> {
    const expected = chain.records();
    if (isWhole) await expectIndexOf(database.queries, expected, { finalized });
    else await expectTokensAndStates(database.queries, expected);
    await expectMarketOf(database.queries, expected);
    const trades = expected.filter(({ kind }) => kind === 'trade').map(recordKey);
    const booked = await statement<{ key: string }>(database.queries)`select key from booked order by id`;
    const pending = await statement<{ key: string }>(database.queries)`
      select concat(signature, ':', "outer", ':', "inner") as key from pending_rewards p
      join records r on r.id = p.record_id where p.origin = 'referral' order by p.record_id`;
    // Each trade is booked or pending, never both, and in order.
    expect([...booked, ...pending].map(({ key }) => key)).to.deep.equal(trades);
    if (finalized) expect(pending).to.deep.equal([]);
    await expectShares(database, expected, { finalized });
  }

  /** @returns how many trades of the partition were detached, and how many are left in its place */
  async function detachedTrades(): Promise<{ left: number; detached: number }> {
    const [count] = await statement<{ left: number; detached: number }>(database.queries)`
      select (select count(*)::integer from ${sql.identifier(`${oldest}_left`)}) as left,
      (select count(*)::integer from ${sql.identifier(oldest.replace('trade_rows', 'detached_trades'))}) as detached`;
    return count!;
  }

  return { follow, detachedTrades };
}
