// The indexer reads the history from the program's deployment, or waits for an RPC node that has it.
import { expect } from 'chai';
import { reindex } from '#app/index/reindex.js';
import type { Database } from '#app/db/database.js';
import type { ForkingChain } from '#tests/node/forking-chain.js';
import { lacks, LONG, useIndexedChain } from '#tests/node/indexed-chain.js';
import type { PartialNode } from '#tests/node/partial-node.js';

for (const isStrict of [false, true]) {
  describe(`the start of the index on an RPC node without the whole history (Agave ${isStrict ? 4 : 3})`, () => {
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

    it('indexes everything from a node with the whole history', async () => {
      await book();
      await book();
      await expectAll();
      expect(warnings()).to.deep.equal([]);
    });

    it("holds if the node's history begins after the deployment", async () => {
      served.has = (slot) => slot > 5;
      await expectHold(/history begins with slot 6, the program's with slot 1/);
      await expectGoesOn();
    });

    it("holds at a gap in the node's history", async () => {
      served.has = lacks(20, 40);
      await expectHold(/lacks blocks between slots 1 and/);
      await expectGoesOn();
    });

    it('warns if the deployment slot is unknown, and indexes what the node has', async () => {
      served.deployedIn = undefined;
      served.has = (slot) => slot > 2;
      await book();
      expect(isHeld()).to.equal(false);
      expect((await state()).records).to.equal(chain.records().length - 1);
      expect(warnings().map(({ msg }) => msg)).to.include.members([
        "nothing tells when the program's history begins; the node's begins with this slot, and what was before is not indexed. If the program is older, set RPC_URL to a node with its whole history, and run `curvekit reindex`",
      ]);
    });

    it('waits for a node that supports the block methods', async () => {
      served.missing = new Set(['getFirstAvailableBlock', 'getBlocks', 'getBlock']);
      await expectHold(/does not know get\w+, so that nothing tells whether its history has gaps/);
      served.missing = new Set();
      trade(LONG, 20);
      await expectGoesOn();
    });

    it('needs the whole history again after a reindex', async () => {
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

    it('notices a reindex while it holds', async () => {
      served.has = lacks(20, 40);
      await book();
      await reindex(database);
      const problem = await book().catch((error: Error) => error.name);
      expect(problem).to.equal('DeposedError');
    });
  });
}
