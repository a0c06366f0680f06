// The indexer when the RPC node no longer knows the transactions that it lists from. threat: unreliable-node, detached-trades
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { indexerCheck } from '#app/checks.js';
import { rpcSource } from '#app/index/rpc-source.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { createIndexer } from '#app/index/indexer.js';
import { ANCHOR_SLOTS, loadAnchors, superfluous } from '#app/index/store/anchors.js';
import { rowsOf } from '#app/db/database.js';
import { createLogger } from '#app/base/logging/logging.js';
import { type PartialNode } from '#tests/node/partial-node.js';
import { eventually } from '#tests/service/service.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { TUNING, useAnyNode } from '#tests/service/any-node.js';

describe("the indexer and the RPC node's history", () => {
  const { at, sink, execute, newest, bookAll, expectAll, state, expectHold, failureOf } = useAnyNode();

  describe('when the RPC node does not know where to list from', () => {
    it('continues if the node has pruned exactly the booked history', async () => {
      execute(3);
      await bookAll();
      const booked = at.chain.slot('finalized');
      at.chain.execute([]);
      at.chain.finalize(Infinity);
      at.served.has = (slot) => slot > booked;
      await bookAll();
      execute(3);
      await bookAll();
      await expectAll();
    });

    it('lists from an older anchor if the node lacks a transaction without records, and books nothing twice', async () => {
      for (let round = 0; round < 4; round += 1) {
        execute(20);
        await bookAll();
        for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) at.chain.execute([]);
        at.chain.finalize(Infinity);
      }
      execute(3);
      execute(2, 2);
      await bookAll();
      const { signature } = newest();
      expect((await loadAnchors(at.database.queries)).length).to.be.within(2, 5);
      at.served.instead = forgetting(signature);
      execute(3);
      await bookAll();
      await expectAll();
      // As long as nothing new arrives, the older anchor is enough.
      await bookAll();
      at.served.instead = () => undefined;
      execute(12);
      await bookAll();
      await expectAll();
    });

    it('books nothing again whose trades are detached', async () => {
      const { queries } = at.database;
      const without: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        execute(20);
        at.chain.execute([[{ kind: 'nothing' }]]);
        at.chain.finalize(Infinity);
        without.push(newest().signature);
        await bookAll();
        for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) at.chain.execute([]);
        at.chain.finalize(Infinity);
      }
      await queries.execute(sql`select setval('records_id_seq', trade_partitions_end() - 1)`);
      execute(2, 2);
      await bookAll();
      await queries.execute(sql`update market_state set minutes_from = 10000000000`);
      const [old] = await rowsOf<{ detached: string }>(
        queries,
        sql`select trade_partition_detach(tableoid::regclass::text) as detached from trade_rows order by id limit 1`,
      );
      await queries.execute(sql`update market_state set minutes_from = 0`);
      at.served.instead = forgetting(...without.slice(1), newest().signature);
      execute(3);
      await bookAll();
      const rows = await rowsOf<{ signature: string }>(
        queries,
        sql`select signature from (
              select id, signature from ${sql.identifier(old!.detached)} union select id, signature from records
            ) all_records order by id`,
      );
      expect(rows.map(({ signature }) => signature)).to.deep.equal(
        at.chain.records().map(({ signature }) => signature),
      );
    });

    it('holds if the node lacks a transaction whose records are booked', async () => {
      execute(20);
      await bookAll();
      for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) at.chain.execute([]);
      execute(3);
      await bookAll();
      const { signature, slot } = newest();
      execute(3);
      at.served.instead = forgetting(signature);
      await expectHold(
        new RegExp(`does not know transaction ${signature} of slot ${slot}, .*; set RPC_URL to a node with`),
      );
      at.served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    it('holds if the node knows none of the anchors, and reports how many it tried', async () => {
      for (let round = 0; round < 3; round += 1) {
        execute(2);
        await bookAll();
        for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) at.chain.execute([]);
        at.chain.finalize(Infinity);
        await bookAll();
      }
      execute(2);
      const all = (await loadAnchors(at.database.queries)).map(({ signature }) => signature);
      at.served.instead = forgetting(...all, ...(await bookedSignatures()));
      await expectHold(
        /does not know transaction \w+ of slot \d+, which was finalized, nor any of \d older ones/,
      );
      at.served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    it('restarts the listing of a long gap if the node forgets the place where it was', async () => {
      execute(1);
      await bookAll();
      execute(45);
      let pages = 0;
      at.served.instead = ({ method, params }) => {
        const { before } = (params[1] ?? {}) as { before?: string };
        if (method !== 'getSignaturesForAddress' || before === undefined) return undefined;
        pages += 1;
        return pages === 2
          ? { error: { code: -32020, message: `Transaction ${before} not found` } }
          : undefined;
      };
      await bookAll();
      expect(pages).to.be.above(4);
      await expectAll();
    });

    it('holds if every long listing breaks off', async () => {
      execute(1);
      await bookAll();
      execute(45);
      at.served.instead = ({ method, params }) => {
        const { before } = (params[1] ?? {}) as { before?: string };
        if (method !== 'getSignaturesForAddress' || before === undefined) return undefined;
        return { error: { code: -32020, message: `Transaction ${before} not found` } };
      };
      await expectHold(/listing the history was interrupted 3 times/);
      at.served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    async function bookedSignatures(): Promise<string[]> {
      const rows = await rowsOf<{ signature: string }>(
        at.database.queries,
        sql`select signature from records`,
      );
      return rows.map(({ signature }) => signature);
    }

    /** An RPC node that has forgotten some transactions, but has their blocks. */
    function forgetting(...signatures: readonly string[]): PartialNode['instead'] {
      const gone = new Set(signatures);
      return ({ method, params }) => {
        if (method === 'getSignatureStatuses') {
          const asked = params[0] as string[];
          const slotOf = (signature: string) => (gone.has(signature) ? null : at.served.slotOf(signature));
          return {
            result: {
              value: asked.map((signature) => {
                const slot = slotOf(signature);
                return slot === null ? null : { slot };
              }),
            },
          };
        }
        if (method !== 'getSignaturesForAddress') return undefined;
        const { before, until } = params[1] as { before?: string; until?: string };
        const unknown = [before, until].find((place) => place !== undefined && gone.has(place));
        if (unknown === undefined) return undefined;
        return { error: { code: -32020, message: `Transaction ${unknown} not found` } };
      };
    }

    it('keeps a few dozen anchors of any history, each at most about twice as far back as the newer one', () => {
      const LONGEST = 5_000;
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: ANCHOR_SLOTS, max: LONGEST }), { minLength: 1, maxLength: 400 }),
          (steps) => {
            let slots: number[] = [];
            let now = 0;
            for (const step of steps) {
              now += step;
              const all = [now, ...slots];
              const gone = new Set(superfluous(all, now));
              slots = all.filter((slot) => !gone.has(slot));
            }
            // Of three neighbours, the oldest is more than twice as far back as the newest.
            expect(slots.length).to.be.at.most(2 * Math.log2(Math.max(now / ANCHOR_SLOTS, 1)) + 4);
            expect(slots.at(-1)).to.equal(steps[0]);
            const distances = slots.map((slot) => now - slot).slice(1);
            for (const [index, distance] of distances.entries()) {
              const before = distances[index - 1];
              if (before === undefined) continue;
              expect(distance).to.be.at.most(Math.max(2 * before, 2 * ANCHOR_SLOTS, before + LONGEST));
            }
          },
        ),
      );
    });
  });

  it("reports in every instance's /ready that the RPC node is behind the booked slot", async () => {
    execute(150);
    await bookAll();
    at.served.slot = () => 20;
    const { indexer } = at.context.config;
    const strict = {
      ...at.context,
      config: { ...at.context.config, indexer: { ...indexer, lagLimitSlots: 100 } },
    };
    expect(await failureOf(indexerCheck(strict))).to.match(/the RPC node is \d+ slots behind what is booked/);
    await at.engine.book(NEVER_ABORTED);
    expect(await state()).to.include({ scannedSlot: at.chain.slot('finalized'), held: null });
  });

  it("reports in every instance's /ready that the database indexes another program", async () => {
    execute(1);
    await bookAll();
    const other = 'Stake11111111111111111111111111111111111111';
    await at.database.queries.execute(sql`update indexer_state set program_id = ${other}`);
    expect(await failureOf(indexerCheck(at.context))).to.match(
      new RegExp(`the database indexes program ${other}, not \\w+; set PROGRAM_ID, or DATABASE_URL`),
    );
    const indexer = createIndexer({ ...at.context, logger: createLogger('trace', sink) }, NO_HOOKS, TUNING);
    indexer.start();
    await eventually(
      () => Promise.resolve(at.logged.filter(({ msg }) => msg === 'leading').length > 1),
      'two attempts',
    );
    await indexer.stop();
    expect(at.logged.filter(({ level }) => level >= pino.levels.values['warn']!)).to.have.lengthOf(1);
  });

  it('logs a failing websocket once, whatever the number of attempts', async () => {
    let tries = 0;
    const refusing = createServer((_request, response) => {
      tries += 1;
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const notifier = rpcSource({
      wsUrl: `ws://127.0.0.1:${port}`,
      programId: DEFAULT_DEPLOYMENT.programId.toBase58(),
      intervalMs: 1_000,
      logger: createLogger('trace', sink),
    });
    try {
      await eventually(() => Promise.resolve(tries > 2), 'three attempts');
      expect(at.logged).to.have.lengthOf(1);
    } finally {
      notifier.stop();
      refusing.close();
    }
  });
});
