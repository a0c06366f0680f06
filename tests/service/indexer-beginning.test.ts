// The indexer reads the history from its beginning, or waits for a node that has it.
import { expect } from 'chai';
import { reindex } from '#app/indexer/reindex.js';
import type { Database } from '#app/db/database.js';
import type { ForkingChain } from '#tests/node/forking-chain.js';
import { lacks, LONG, useIndexedChain } from '#tests/node/indexed-chain.js';
import type { PartialNode } from '#tests/node/partial-node.js';

for (const isStrict of [false, true]) {
  describe(`the indexer's beginning behind a node without the whole history (Agave ${isStrict ? 4 : 3})`, () => {
    const {
      current,
      book,
      isHeld,
      forgetLog,
      openEngine,
      trade,
      expectAll,
      state,
      warnings,
      expectHold,
      expectGoesOn,
    } = useIndexedChain(isStrict);
    let database: Database;
    let chain: ForkingChain;
    let served: PartialNode;
    beforeEach(() => ({ database, chain, served } = current()));

    beforeEach(() => {
      chain.execute([[{ kind: 'create' }]]);
      trade(LONG, 5);
    });

    it('reads what a whole node has', async () => {
      await book();
      await book();
      await expectAll();
      expect(warnings()).to.deep.equal([]);
    });

    it('does not begin after the deployment', async () => {
      served.has = (slot) => slot > 5;
      await expectHold(/history begins with slot 6, the program's with slot 1/);
      await expectGoesOn();
    });

    it('does not step over a hole', async () => {
      served.has = lacks(20, 40);
      await expectHold(/lacks blocks between slots 1 and/);
      await expectGoesOn();
    });

    it('warns when nothing tells when the program was deployed, and reads what there is', async () => {
      served.deployedIn = undefined;
      served.has = (slot) => slot > 2;
      await book();
      expect(isHeld()).to.equal(false);
      expect((await state()).records).to.equal(chain.records().length - 1);
      expect(warnings().map(({ msg }) => msg)).to.include.members([
        "nothing tells when the program's history begins; the node's begins with this slot, and what was before is not indexed",
      ]);
    });

    it('waits for one that can tell of blocks', async () => {
      served.missing = new Set(['getFirstAvailableBlock', 'getBlocks', 'getBlock']);
      await expectHold(/does not know get\w+, so that nothing tells whether its history has gaps/);
      served.missing = new Set();
      trade(LONG, 20);
      await expectGoesOn();
    });

    it('reads everything again after a reindex, and nothing less', async () => {
      await book();
      const first = chain.records()[0]!.slot;
      served.deployedIn = undefined;
      const partial: Record<string, (slot: number) => boolean> = {
        [`begins with slot ${first + 1}, the program's with slot ${first}`]: (slot) => slot > first,
        'does not list the program': (slot) => slot < first || slot > first + 1,
        'lacks blocks': lacks(20, 40),
      };
      for (const [problem, has] of Object.entries(partial)) {
        await reindex(database);
        await openEngine();
        forgetLog();
        served.has = has;
        await expectHold(new RegExp(problem));
      }
      await reindex(database);
      await openEngine();
      await expectGoesOn();
    });

    it('notices a reindex while it waits', async () => {
      served.has = lacks(20, 40);
      await book();
      await reindex(database);
      const problem = await book().catch((error: Error) => error.name);
      expect(problem).to.equal('DeposedError');
    });
  });
}
