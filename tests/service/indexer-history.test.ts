// The indexer behind nodes that do not have the whole history: it must never take such a node's list for all there is.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { indexerCheck } from '#app/checks.js';
import { NO_HOOKS } from '#app/indexer/hooks.js';
import { createIndexer } from '#app/indexer/indexer.js';
import type { Database } from '#app/db/database.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import type { ForkingChain } from '#tests/node/forking-chain.js';
import { FULL_HISTORY, lacks, LONG, TUNING, useIndexedChain } from '#tests/node/indexed-chain.js';
import type { PartialNode } from '#tests/node/partial-node.js';
import type { ScriptedNode } from '#tests/node/scripted-node.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

for (const isStrict of [false, true]) {
  describe(`the indexer behind a node without the whole history (Agave ${isStrict ? 4 : 3})`, () => {
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

    it('asks nothing about blocks while it follows a running node', async () => {
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

    it('catches up after a long pause, skipped slots or not', async () => {
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

    it('does not step over a hole that an outage has left', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = lacks(slot + 10, slot + 40);
      await expectHold(new RegExp(`lacks blocks between slots ${slot} and ${slot + LONG}`));
      // Nor when the operator starts it anew.
      await openEngine();
      forgetLog();
      trade(5, 2);
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('does not step over a hole of one block, at either end or in between', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      for (const missing of [slot + 1, slot + 21, slot + LONG]) {
        served.has = lacks(missing, missing);
        await book();
        expect(isHeld(), `without ${missing - slot}`).to.equal(true);
      }
      await expectGoesOn();
    });

    it('does not begin where the history of a younger node begins', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = (each) => each > slot + 30;
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('does not follow a node that should know its last transaction and does not', async () => {
      const slot = await beginning();
      const last = chain.records().at(-1)!;
      trade(LONG, 20);
      served.has = (each) => each !== last.slot;
      expect(last.slot).to.be.lessThan(slot);
      await expectHold(new RegExp(`does not know transaction ${last.signature} of slot ${last.slot}`));
      await expectGoesOn();
    });

    it('follows a node that has forgotten only what is booked', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = (each) => each > slot;
      await book();
      await expectAll();
    });

    it('follows a node that began with the last block booked, and cannot give the one after it', async () => {
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

    it('does not read a gap of many pages with a hole in it', async () => {
      const slot = await beginning();
      trade(LONG, 1);
      served.has = lacks(slot + 10, slot + 12);
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('does not read a list that the node has forgotten parts of while it was made', async () => {
      const slot = await beginning();
      trade(LONG, 1);
      let pages = 0;
      served.onList = () => {
        pages += 1;
        if (pages === 3) served.has = (each) => each > slot + 30;
      };
      await book();
      // Agave 4 does not know the place to list before; the next look finds out what else it lacks.
      expect(pages).to.equal(isStrict ? 3 : 4);
      if (isStrict) await book();
      expect(await state()).to.include({ scannedSlot: slot, backlog: 0 });
      expect(isHeld()).to.equal(true);
      await expectGoesOn();
    });

    it('says so in /ready, and goes on when the node has it all', async function () {
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
        // The lag is within its limit.
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
