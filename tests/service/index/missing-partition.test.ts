// An operator detaches or drops the partition that trades go into.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { checkPartitions } from '#app/operator/doctor/database-checks.js';
import { reindex } from '#app/index/reindex.js';
import { measurePartitions } from '#app/index/trades/partitions.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { useIndexedChain } from '#tests/node/indexed-chain.js';

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

  it('below others is named too', async () => {
    await run(`select setval('records_id_seq', trade_partitions_end() - 1)`);
    execute(3);
    await bookAll();
    await run('alter table trade_rows detach partition trade_rows_0');
    expect(await gauge('curvekit_trade_partitions_missing')).to.equal(1);
    const { fix } = await checkPartitions(at.database);
    await run(/alter [^;]*;/.exec(fix!)![0]);
    await expectRepaired();
  });
});
