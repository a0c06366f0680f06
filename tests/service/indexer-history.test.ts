// The indexer behind nodes that do not have the whole history: it must never take such a node's list for all there is.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { indexerCheck } from '#app/checks.js';
import { IndexerEngine } from '#app/indexer/engine.js';
import { NO_HOOKS } from '#app/indexer/hooks.js';
import { createIndexer } from '#app/indexer/indexer.js';
import { indexerLag } from '#app/indexer/lag.js';
import { NodeHistory } from '#app/indexer/node-history.js';
import { reindex } from '#app/indexer/reindex.js';
import type { Tuning } from '#app/indexer/tuning.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { createMetrics, type Metrics } from '#app/metrics.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import { openTestDatabase } from '#tests/database/database.js';
import { ForkingChain } from '#tests/node/forking-chain.js';
import { PartialNode } from '#tests/node/partial-node.js';
import { startScriptedNode, type ScriptedNode } from '#tests/node/scripted-node.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

const TUNING: Tuning = { pageSize: 10, batchSize: 7, lookupTimeoutMs: 1_000 };
/** More than the indexer follows without a look at the blocks. */
const LONG = 60;
const FULL_HISTORY = /; set RPC_URL to a node with full history$/;

for (const isStrict of [false, true]) {
  describe(`the indexer behind a node without the whole history (Agave ${isStrict ? 4 : 3})`, () => {
    let database: Database;
    let chain: ForkingChain;
    let served: PartialNode;
    let node: ScriptedNode;
    let metrics: Metrics;
    let engine: IndexerEngine;
    let logged: { readonly level: number; readonly msg: string }[];

    before(async () => {
      database = await openTestDatabase();
    });
    beforeEach(async () => {
      await reindex(database);
      // Another chain for each test.
      await database.queries.execute(sql`truncate indexer_state`);
      chain = new ForkingChain();
      served = new PartialNode(chain);
      served.isStrict = isStrict;
      node = await startScriptedNode(served);
      metrics = createMetrics({ ofProcess: false });
      logged = [];
      await openEngine();
    });
    afterEach(() => node.stop());
    after(() => database.close());

    /** As the indexer does when it begins to lead. */
    async function openEngine(): Promise<void> {
      const programId = DEFAULT_DEPLOYMENT.programId.toBase58();
      const fail = (error: unknown) => {
        throw error;
      };
      const sink = { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[number]) };
      engine = await IndexerEngine.open({
        database,
        history: new NodeHistory({ rpcUrl: node.url, isSimulated: false }, programId, fail, TUNING),
        deployment: DEFAULT_DEPLOYMENT,
        hooks: NO_HOOKS,
        logger: pino({ level: 'trace' }, sink),
        metrics,
        tuning: TUNING,
      });
    }

    /** Blocks with a trade every so many. */
    function trade(blocks: number, every: number): void {
      for (let count = 0; count < blocks; count += 1) {
        chain.execute(count % every === 0 ? [[{ kind: 'buy', token: 0, lamports: SOL / 100n }]] : []);
      }
      chain.finalize(Infinity);
    }

    /** A token, some trades, and all of it booked. @returns the newest slot */
    async function beginning(): Promise<number> {
      chain.execute([[{ kind: 'create' }]]);
      trade(LONG, 20);
      await engine.book(NEVER_ABORTED);
      await expectAll();
      return chain.slot('finalized');
    }

    async function expectAll(): Promise<void> {
      expect(engine.isHeld).to.equal(false);
      await expectIndexOf(database.queries, chain.records(), { finalized: true });
      expect((await state()).scannedSlot).to.equal(chain.slot('finalized'));
      expect(await held()).to.equal(0);
    }

    async function state(): Promise<{
      scannedSlot: number;
      records: number;
      held: string | null;
      backlog: number;
    }> {
      const [row] = await rowsOf<Awaited<ReturnType<typeof state>>>(
        database.queries,
        sql`select coalesce(scanned_slot, 0)::integer as "scannedSlot", held,
            (select count(*) from records)::integer as records,
            (select count(*) from indexer_backlog)::integer as backlog
          from indexer_state`,
      );
      return row!;
    }

    const held = async () => {
      await indexerLag({ connection: new Connection(node.url), database, metrics });
      return (await metrics.indexerHeld.get()).values[0]?.value;
    };
    const errors = () => logged.filter(({ level }) => level === pino.levels.values['error']);
    const warnings = () => logged.filter(({ level }) => level === pino.levels.values['warn']);

    /** However often the indexer looks, it books nothing, and says once what is wrong. */
    async function expectHold(problem: RegExp): Promise<void> {
      const before = await state();
      for (let look = 0; look < 3; look += 1) {
        await engine.book(NEVER_ABORTED);
        expect(engine.isHeld).to.equal(true);
        expect(engine.isCurrent).to.equal(false);
      }
      const after = await state();
      expect(after).to.deep.include({ scannedSlot: before.scannedSlot, records: before.records, backlog: 0 });
      expect(after.held).to.match(problem).and.to.match(FULL_HISTORY);
      expect(await held()).to.equal(1);
      expect(errors()).to.have.lengthOf(1);
    }

    /** With the whole history it goes on by itself. */
    async function expectGoesOn(): Promise<void> {
      served.has = () => true;
      await engine.book(NEVER_ABORTED);
      await engine.book(NEVER_ABORTED);
      await expectAll();
    }

    const lacks = (from: number, to: number) => (slot: number) => slot < from || slot > to;

    it('asks nothing about blocks while it follows a running node', async () => {
      await beginning();
      const asked = () =>
        [...node.calls].filter(([method]) => /getBlock|getVersion|FirstAvailable/.test(method));
      const before = asked();
      for (let looks = 0; looks < 20; looks += 1) {
        trade(3, 2);
        await engine.book(NEVER_ABORTED);
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
      await engine.book(NEVER_ABORTED);
      await expectAll();
      trade(LONG, 100);
      chain.skip(3);
      await engine.book(NEVER_ABORTED);
      await expectAll();
    });

    it('does not step over a hole that an outage has left', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      served.has = lacks(slot + 10, slot + 40);
      await expectHold(new RegExp(`lacks blocks between slots ${slot} and ${slot + LONG}`));
      // Nor when the operator starts it anew.
      await openEngine();
      logged = [];
      trade(5, 2);
      await expectHold(/lacks blocks/);
      await expectGoesOn();
    });

    it('does not step over a hole of one block, at either end or in between', async () => {
      const slot = await beginning();
      trade(LONG, 20);
      for (const missing of [slot + 1, slot + 21, slot + LONG]) {
        served.has = lacks(missing, missing);
        await engine.book(NEVER_ABORTED);
        expect(engine.isHeld, `without ${missing - slot}`).to.equal(true);
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
      await engine.book(NEVER_ABORTED);
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
      await engine.book(NEVER_ABORTED);
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
      await engine.book(NEVER_ABORTED);
      // Agave 4 does not know the place to list before; the next look finds out what else it lacks.
      expect(pages).to.equal(isStrict ? 3 : 4);
      if (isStrict) await engine.book(NEVER_ABORTED);
      expect(await state()).to.include({ scannedSlot: slot, backlog: 0 });
      expect(engine.isHeld).to.equal(true);
      await expectGoesOn();
    });

    describe('from the beginning', () => {
      beforeEach(() => {
        chain.execute([[{ kind: 'create' }]]);
        trade(LONG, 5);
      });

      it('reads what a whole node has', async () => {
        await engine.book(NEVER_ABORTED);
        await engine.book(NEVER_ABORTED);
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
        await engine.book(NEVER_ABORTED);
        expect(engine.isHeld).to.equal(false);
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
        await engine.book(NEVER_ABORTED);
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
          logged = [];
          served.has = has;
          await expectHold(new RegExp(problem));
        }
        await reindex(database);
        await openEngine();
        await expectGoesOn();
      });

      it('notices a reindex while it waits', async () => {
        served.has = lacks(20, 40);
        await engine.book(NEVER_ABORTED);
        await reindex(database);
        const problem = await engine.book(NEVER_ABORTED).catch((error: Error) => error.name);
        expect(problem).to.equal('DeposedError');
      });
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
