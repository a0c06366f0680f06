// The indexer on RPC nodes without the whole history. It must never assume that the list of such a node is complete.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { indexerCheck } from '#app/checks.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { createIndexer } from '#app/index/indexer.js';
import type { Database } from '#app/db/database.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import type { ForkingChain } from '#tests/node/forking-chain.js';
import { FULL_HISTORY, lacks, LONG, TUNING, useIndexedChain } from '#tests/node/indexed-chain.js';
import type { PartialNode } from '#tests/node/partial-node.js';
import type { ScriptedNode } from '#tests/node/scripted-node.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

for (const isStrict of [false, true]) {
  describe(`the indexer on an RPC node without the whole history (Agave ${isStrict ? 4 : 3})`, () => {
    const {
      current,
      book,
      isHeld,
      forgetLog,
      openEngine,
      trade,
      beginning,
      expectAll,
      state,
      expectHold,
      expectGoesOn,
    } = useIndexedChain(isStrict);
    let database: Database;
    let chain: ForkingChain;
    let served: PartialNode;
    let node: ScriptedNode;
    beforeEach(() => ({ database, chain, served, node } = current()));

    it('makes no block requests while it follows a running node', async () => {
      await beginning();
      const asked = () =>
        [...node.calls].filter(([method]) => /getBlock|getVersion|FirstAvailable/.test(method));
      const before = asked();
      for (let looks = 0; looks < 20; looks += 1) {
        trade(3, 2);
        await book();
      }
      await expectAll();
      expect(asked()).to.deep.equal(before);
    });

    it('catches up after a long pause, with or without skipped slots', async () => {
      await beginning();
      chain.skip(7);
      trade(LONG, 20);
      chain.skip(100);
      trade(1, 1);
      await book();
      await expectAll();
      trade(LONG, 100);
      chain.skip(3);
      await book();
      await expectAll();
    });

    it('holds at a gap that an outage has left', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = lacks(slot + 10, slot + 40);
      await expectHold(new RegExp(`lacks blocks between slots ${slot} and ${slot + LONG}`));
      // A restart by the operator does not change that.
      await openEngine();
      forgetLog();
      trade(5, 2);
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('holds at a gap of one block, at either end or in between', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      for (const missing of [slot + 1, slot + 21, slot + LONG]) {
        served.has = lacks(missing, missing);
        await book();
        expect(isHeld(), `without ${missing - slot}`).to.equal(true);
      }
      await expectGoesOn();
    });

    it("holds if the node's history begins after the last booked slot", async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = (each) => each > slot + 30;
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('holds if the node should know the last booked transaction but does not', async () => {
      const slot = await beginning();
      const last = chain.records().at(-1)!;
      trade(LONG, 20);
      served.has = (each) => each !== last.slot;
      expect(last.slot).to.be.lessThan(slot);
      await expectHold(new RegExp(`does not know transaction ${last.signature} of slot ${last.slot}`));
      await expectGoesOn();
    });

    it('follows a node that has pruned only booked history', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = (each) => each > slot;
      await book();
      await expectAll();
    });

    it('follows a node that began at the last booked block and cannot return the next one', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = (each) => each > slot;
      const withoutBlocks = (...slots: number[]) => {
        served.instead = ({ method, params }) =>
          method === 'getBlock' && slots.includes(params[0] as number) ? { result: null } : undefined;
      };
      withoutBlocks(slot + 1, slot + 2);
      await expectHold(/lacks blocks/);
      withoutBlocks(slot + 1);
      await book();
      await expectAll();
    });

    it('holds at a gap in a listing of many pages', async () => {
      const slot = await beginning();
      trade(LONG, 1);
      served.has = lacks(slot + 10, slot + 12);
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('discards a listing if the node pruned a part of it meanwhile', async () => {
      const slot = await beginning();
      trade(LONG, 1);
      let pages = 0;
      served.onList = () => {
        pages += 1;
        if (pages === 3) served.has = (each) => each > slot + 30;
      };
      await book();
      // Agave 4 does not know the transaction to list before. The next pass finds out what else is missing.
      expect(pages).to.equal(isStrict ? 3 : 4);
      if (isStrict) await book();
      expect(await state()).to.include({ scannedSlot: slot, backlog: 0 });
      expect(isHeld()).to.equal(true);
      await expectGoesOn();
    });

    it('reports the gap in /ready, and continues once the RPC node returns the whole history', async function () {
      this.timeout(60_000);
      const slot = await beginning();
      trade(LONG, 20);
      served.has = lacks(slot + 10, slot + 40);
      const environment = { RPC_URL: node.url, WS_URL: 'ws://127.0.0.1:1', INDEXER_POLL_MS: '100' };
      const context = await contextFrom(environment, database);
      const connection = new Connection(node.url, { commitment: 'confirmed' });
      const ready = () =>
        indexerCheck({ ...context, connection })
          .run()
          .then(
            () => 'ok',
            (error: Error) => error.message,
          );
      const indexer = createIndexer(context, NO_HOOKS, TUNING);
      indexer.start();
      try {
        // The lag is within its limit, so only the gap can fail the check.
        await eventually(async () => (await ready()) !== 'ok', 'the check to fail');
        expect(await ready())
          .to.match(/^waits: the node lacks blocks between slots/)
          .and.to.match(FULL_HISTORY);
        served.has = () => true;
        await eventually(async () => (await ready()) === 'ok', 'the check to pass');
        await eventually(async () => (await state()).scannedSlot === slot + LONG, 'the index to go on');
      } finally {
        await indexer.stop();
      }
      await expectIndexOf(database.queries, chain.records(), { finalized: true });
    });
  });
}
