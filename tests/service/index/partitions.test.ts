// Partitions of trades: an operator takes an old one out, and the index goes on; one that is missing is named. threat: detached-trades
import { expect } from 'chai';
import { checkPartitions } from '#app/operator/doctor/database-checks.js';
import { reindex } from '#app/index/store/state.js';
import { measurePartitions } from '#app/index/trades/partitions.js';
import { useIndexedChain } from '#tests/node/indexed-chain.js';
import { sql } from 'drizzle-orm';
import { statement } from '#app/db/database.js';
import { dropPoolTrades, storePoolTrades } from '#app/market/books/pool-trades.js';
import { deleteMinutes, rollUp } from '#app/market/books/roll-up.js';
import { expireDay } from '#app/market/day-job.js';
import { candlesOf } from '#app/market/reads/candles.js';
import { tokenDetail } from '#app/market/reads/token.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { BEGIN, DAY, indexGraduated, MINT, nextTrade, POOL } from '#tests/database/graduated-token.js';
import { rejection } from '#tests/mocha/failures.js';
import { useFollowingIndexer } from '#tests/node/following-indexer.js';
import type { Intent } from '#tests/node/forking-chain.js';

describe('the indexer and its partitions of trades', () => {
  const { follow, detachedTrades } = useFollowingIndexer();

  for (const isStrict of [true, false]) {
    const node = isStrict ? 'refuses to list from a dropped transaction' : 'then lists everything';
    it(`continues without the trades of a detached partition, on a node that ${node}`, async () => {
      const buy = (token: number) => [{ kind: 'buy', token, lamports: SOL } as const];
      const blocks = (count: number, groups: readonly (readonly Intent[])[]) =>
        Array.from({ length: count }, () => ({ do: 'block', groups }) as const);
      const previews = await follow(
        [
          { do: 'book' },
          { do: 'block', groups: [[{ kind: 'create' }], [{ kind: 'create' }], buy(0), buy(1)] },
          { do: 'block', groups: [buy(0), buy(1)] },
          { do: 'finalize', blocks: 9 },
          { do: 'book' },
          { do: 'partition', before: 1 },
          ...blocks(5, [buy(1)]),
          { do: 'finalize', blocks: 5 },
          { do: 'book' },
          { do: 'preview' },
          { do: 'detach' },
          // The newest trade of token 0 is an old one.
          { do: 'block', groups: [buy(0), buy(1)] },
          { do: 'preview' },
          { do: 'fork', depth: 1, pattern: 0 },
          { do: 'block', groups: [[{ kind: 'nothing' }]] },
          { do: 'preview' },
          { do: 'restart' },
          ...blocks(2, [buy(0), buy(1)]),
          { do: 'preview' },
        ],
        isStrict,
      );
      expect(previews).to.equal(5);
      // Of each token, the newest one.
      expect(await detachedTrades()).to.deep.equal({ left: 2, detached: 4 });
    });
  }
});

describe(`a partition of old trades (${DATABASE_KIND})`, () => {
  const database = useDatabase();

  const detach = (name: string) =>
    statement<{ name: string }>(database.queries)`select trade_partition_detach(${name}) as name`;
  const set = (change: string) => database.queries.execute(sql.raw(change));
  async function expectRefusal(name: string, reason: RegExp): Promise<void> {
    expect(String((await rejection(detach(name), Error)).cause)).to.match(reason);
  }

  it('is refused while the index needs it, and then leaves charts, totals and the newest trades', async () => {
    const mint = MINT.toBase58();
    await expectRefusal('tokens', /trade_rows has no partition tokens$/);
    await expectRefusal('trade_rows_0', /trade_rows_0 has no trades$/);
    await indexGraduated(database);
    const trades = [nextTrade(POOL, SOL, BEGIN + 60)];
    for (let day = 1; day < 45; day += 1)
      trades.push(nextTrade(trades.at(-1)!, SOL / 10n, BEGIN + day * DAY));
    const dropped = await database.transaction((tx) => storePoolTrades(tx, trades.slice(0, 3), false));
    await expectRefusal('trade_rows_0', /trade_rows_0 has trades that are not final yet$/);
    await database.transaction((tx) => dropPoolTrades(tx, mint, dropped!));

    await database.transaction((tx) => storePoolTrades(tx, trades.slice(0, 5), true));
    await set(`select setval('records_id_seq', trade_partitions_end() - 1)`);
    await database.transaction((tx) => storePoolTrades(tx, trades.slice(5), true));
    await expectRefusal(
      'trade_rows_0',
      /trade_rows_0 has trades of a time whose charts are still made of minutes$/,
    );
    await rollUp(database, NEVER_ABORTED);
    await expireDay(database, BEGIN + 45 * DAY);
    await deleteMinutes(database, 30, NEVER_ABORTED);
    await set('update indexer_state set scanned_slot = 1');
    await expectRefusal(
      'trade_rows_0',
      /the index has not read the chain beyond slot \d+, the last one of trade_rows_0$/,
    );
    await set('update indexer_state set scanned_slot = 1000000');

    const shown = async () => [
      await tokenDetail(database.queries, mint),
      await candlesOf(database.queries, { mint, interval: 86_400, limit: 1_000, to: undefined }),
    ];
    const before = await shown();
    expect(await detach('trade_rows_0')).to.deep.equal([{ name: 'detached_trades_0' }]);
    expect(await shown()).to.deep.equal(before);
    const [count] = await statement(database.queries)`
      select (select count(*) from detached_trades_0)::integer as detached, (select count(*) from trades)::integer as trades`;
    // The trade on the curve, and the newest one in the pool.
    expect(count).to.deep.equal({ detached: 6, trades: trades.length - 5 + 2 });
    await expectRefusal('trade_rows_0', /trade_rows has no partition trade_rows_0$/);
    await expectRefusal('trade_rows_0_left', /trade_rows_0_left is what was left of a detached partition$/);
  });
});

describe(`a missing partition of trades (${DATABASE_KIND})`, () => {
  const { at, execute, bookAll, expectAll, gauge, openEngine } = useIndexedChain();

  beforeEach(async () => {
    measurePartitions(at);
    execute(12);
    await bookAll();
    expect(await gauge('curvekit_trade_partitions_missing')).to.equal(0);
    expect(await checkPartitions(at.database)).to.deep.equal({
      ...{ subject: 'trades', state: 'ok', detail: 'every partition is attached' },
    });
  });

  const run = (statement: string) => at.database.queries.execute(sql.raw(statement));

  /** The indexer stores nothing, the metric and the doctor name it. @returns the statements of the doctor's remedy */
  async function expectNamed(): Promise<string[]> {
    execute(5);
    for (let look = 0; look < 2; look += 1) {
      const error = await rejection(at.engine.book(NEVER_ABORTED), Error);
      expect(String(error.cause)).to.contain(
        'the partition trade_rows_0 of trades is missing: it was dropped or detached',
      );
      await openEngine();
    }
    expect(await gauge('curvekit_trade_partitions_missing')).to.equal(1);
    const { state, detail, fix } = await checkPartitions(at.database);
    expect(state).to.equal('failure');
    expect(detail).to.equal('missing partitions: 1; the first is trade_rows_0, with the ids 0 to 9,999,999');
    return [...fix!.matchAll(/(?:alter|select) [^;]*;/g)].map(String);
  }

  async function expectRepaired(): Promise<void> {
    await openEngine();
    await bookAll();
    await expectAll();
    expect(await gauge('curvekit_trade_partitions_missing')).to.equal(0);
    expect((await checkPartitions(at.database)).state).to.equal('ok');
  }

  it('a partition that was detached is named, and attached again: every trade is there once', async () => {
    await run('alter table trade_rows detach partition trade_rows_0');
    const [attach, ...others] = await expectNamed();
    expect(others).to.deep.equal([]);
    await run(attach!);
    await expectRepaired();
  });

  it('a partition that was dropped is named, not replaced by an empty one, and read again from the chain', async () => {
    await run('drop table trade_rows_0');
    const [, make, attach] = await expectNamed();
    await run(make!);
    await run(attach!);
    await reindex(at.database);
    await expectRepaired();
  });
});
