// The indexer and transactions that cannot be read, places that the node does not know any more, and answers that lie.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { indexerCheck, transactionsCheck } from '#app/checks.js';
import { startNotifier } from '#app/indexer/notifier.js';
import { IndexerEngine } from '#app/indexer/engine.js';
import { NO_HOOKS } from '#app/indexer/hooks.js';
import { createIndexer } from '#app/indexer/indexer.js';
import { NodeHistory } from '#app/indexer/node-history.js';
import { reindex } from '#app/indexer/reindex.js';
import { UnreadableRetry } from '#app/indexer/unreadable-retry.js';
import { ANCHOR_SLOTS, loadAnchors, superfluous } from '#app/indexer/store/anchors.js';
import type { Tuning } from '#app/indexer/tuning.js';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import type { Check } from '#app/http/health.js';
import { createLogger } from '#app/logging/logging.js';
import { createMetrics, type Metrics } from '#app/metrics.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import { openTestDatabase } from '#tests/database/database.js';
import { ForkingChain } from '#tests/node/forking-chain.js';
import { PartialNode } from '#tests/node/partial-node.js';
import { startScriptedNode, type ScriptedCall, type ScriptedNode } from '#tests/node/scripted-node.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

const TUNING: Tuning = { pageSize: 10, batchSize: 7, lookupTimeoutMs: 300 };
const UNSUPPORTED = {
  code: -32015,
  message:
    'Transaction version (2) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 2',
};

describe('the indexer behind any node', () => {
  let database: Database;
  let chain: ForkingChain;
  let served: PartialNode;
  let node: ScriptedNode;
  let metrics: Metrics;
  let history: NodeHistory;
  let engine: IndexerEngine;
  let logged: { readonly level: number; readonly msg: string }[];
  let context: Context;
  let transactions: Check;

  before(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await reindex(database);
    // Another chain for each test.
    await database.queries.execute(sql`truncate indexer_state`);
    chain = new ForkingChain();
    served = new PartialNode(chain);
    served.isStrict = true;
    node = await startScriptedNode(served);
    metrics = createMetrics({ ofProcess: false });
    logged = [];
    context = {
      ...(await contextFrom({ RPC_URL: node.url, WS_URL: 'ws://127.0.0.1:1' }, database)),
      connection: new Connection(node.url),
      logger,
      metrics,
    };
    transactions = transactionsCheck(context);
    await openEngine();
    chain.execute([[{ kind: 'create' }]]);
  });
  afterEach(() => node.stop());
  after(() => database.close());

  const sink = { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[number]) };
  const logger = pino({ level: 'trace' }, sink);

  /** As the indexer does when it begins to lead. */
  async function openEngine(): Promise<void> {
    const fail = (error: unknown) => {
      throw error;
    };
    history = new NodeHistory(
      { rpcUrl: node.url, isSimulated: false },
      DEFAULT_DEPLOYMENT.programId.toBase58(),
      fail,
      TUNING,
    );
    engine = await IndexerEngine.open({
      database,
      history,
      deployment: DEFAULT_DEPLOYMENT,
      hooks: NO_HOOKS,
      logger,
      metrics,
      tuning: TUNING,
    });
  }

  /** Finalized blocks with one transaction each, of which every so many is a trade and the rest make no record. */
  function execute(blocks: number, every = 1): void {
    for (let count = 0; count < blocks; count += 1) {
      chain.execute(
        count % every === 0 ? [[{ kind: 'buy', token: 0, lamports: SOL / 100n }]] : [[{ kind: 'nothing' }]],
      );
    }
    chain.finalize(Infinity);
  }

  /** The newest finalized transaction. */
  const newest = () => chain.list('finalized', { limit: 1 })[0]!;

  async function bookAll(): Promise<void> {
    for (let look = 0; look < 50; look += 1) {
      await engine.book(NEVER_ABORTED);
      if (engine.isCurrent && (await state()).scannedSlot === chain.slot('finalized')) return;
    }
    throw new Error('the index does not get to the tip in 50 looks');
  }

  /** Everything but the transactions with these signatures is booked, once and in order. */
  async function expectAll(...except: readonly string[]): Promise<void> {
    expect(engine.isHeld).to.equal(false);
    const expected = chain.records().filter(({ signature }) => !except.includes(signature));
    const rows = await rowsOf<{ signature: string }>(
      database.queries,
      sql`select signature from records order by id`,
    );
    expect(rows.map(({ signature }) => signature)).to.deep.equal(expected.map(({ signature }) => signature));
    if (except.length === 0) await expectIndexOf(database.queries, expected, { finalized: true });
  }

  async function state(): Promise<{ scannedSlot: number; held: string | null }> {
    const [row] = await rowsOf<Awaited<ReturnType<typeof state>>>(
      database.queries,
      sql`select coalesce(scanned_slot, 0)::integer as "scannedSlot", held from indexer_state`,
    );
    return row!;
  }

  /** However often the indexer looks, it books nothing, and says once what is wrong. */
  async function expectHold(problem: RegExp): Promise<void> {
    const records = async () =>
      rowsOf(database.queries, sql`select id::text from records where finalized order by id`);
    const before = await records();
    // A place that the node refuses is one look each.
    for (let look = 0; look < 12 && !engine.isHeld; look += 1) await engine.book(NEVER_ABORTED);
    for (let look = 0; look < 2; look += 1) await engine.book(NEVER_ABORTED);
    expect(engine.isHeld).to.equal(true);
    expect((await state()).held).to.match(problem);
    expect(await records()).to.deep.equal(before);
    expect(logged.filter(({ level }) => level === pino.levels.values['error'])).to.have.lengthOf(1);
    expect(await failureOf(indexerCheck(context))).to.match(problem);
    expect(await gauge('curvekit_indexer_held')).to.equal(1);
  }

  async function failureOf({ run }: Check): Promise<string> {
    return run().then(
      () => 'ok',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  async function gauge(name: string): Promise<number | undefined> {
    const metric = (await metrics.registry.getMetricsAsJSON()).find((each) => each.name === name);
    return metric?.values[0]?.value;
  }

  const isFetch = ({ method, params }: ScriptedCall, signature: string) =>
    method === 'getTransaction' && params[0] === signature;

  /** Looks again at what was set aside, as if it were time. */
  const lookAgain = () => new UnreadableRetry(context, history).run(NEVER_ABORTED);

  describe('and a transaction of a newer version', () => {
    it('asks for every version, and reads version 1 as any other', async () => {
      execute(3);
      const { signature } = newest();
      served.instead = (call) => {
        if (!isFetch(call, signature)) return undefined;
        const { maxSupportedTransactionVersion: most } = call.params[1] as Record<string, number>;
        if (!(most! >= 1)) return { error: UNSUPPORTED };
        const found = chain.transaction(signature, 'finalized')!;
        return { result: { ...found, version: 1 } };
      };
      await bookAll();
      await expectAll();
      expect(await failureOf(transactions)).to.equal('ok');
    });

    it('sets one aside that the node cannot write, warns, and goes on', async () => {
      execute(3);
      const { signature } = newest();
      served.instead = (call) => (isFetch(call, signature) ? { error: UNSUPPORTED } : undefined);
      execute(3);
      await bookAll();
      await expectAll(signature);
      const warning = await failureOf(transactions);
      expect(warning).to.match(/^CheckWarning: 1 transactions of the program cannot be read/);
      expect(warning)
        .to.include(`${signature} of version 2;`)
        .and.to.match(/upgrade Curvekit, or set RPC_URL/);
      expect(await gauge('curvekit_indexer_unreadable_transactions')).to.equal(1);
      const lines = logged.filter(({ msg }) => msg.includes('set aside'));
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include({ signature, version: 2 });

      // Still unreadable: it waits longer.
      await lookAgain();
      const [row] = await rowsOf<{ looks: number; later: boolean }>(
        database.queries,
        sql`select looks, look_again_at > now() as later from unreadable_transactions`,
      );
      expect(row).to.deep.equal({ looks: 1, later: true });

      // Readable now, with a trade in it: only a reindex books it in its place.
      served.instead = () => undefined;
      await lookAgain();
      expect(await failureOf(transactions)).to.match(/CheckWarning: 1 .* run curvekit reindex$/);
      await reindex(database);
      await openEngine();
      await bookAll();
      await expectAll();
      expect(await failureOf(transactions)).to.equal('ok');
    });

    it('forgets one that turns out to hold no record', async () => {
      execute(2, 2);
      const { signature } = newest();
      served.instead = (call) => (isFetch(call, signature) ? { error: UNSUPPORTED } : undefined);
      await bookAll();
      expect(await failureOf(transactions)).to.match(/^CheckWarning/);
      served.instead = () => undefined;
      await lookAgain();
      expect(await failureOf(transactions)).to.equal('ok');
      await expectAll();
    });

    it('sets one aside whose structure it does not know, be its version known or not', async () => {
      const answers = [
        (found: object) => ({ ...found, version: 7, transaction: { v7: 'other' } }),
        (found: object) => ({ ...found, transaction: 'AQAB' }),
        () => 'nonsense',
        (found: object) => ({
          ...found,
          version: 7,
          // As if such a version kept keys elsewhere.
          ...{ meta: { err: null, innerInstructions: [{ index: 0, instructions: [OUT_OF_RANGE] }] } },
        }),
      ];
      const broken = new Map<string, (found: object) => unknown>();
      for (const answer of answers) {
        execute(1);
        broken.set(newest().signature, answer);
      }
      execute(1);
      served.instead = ({ method, params }) => {
        const answer = method === 'getTransaction' ? broken.get(params[0] as string) : undefined;
        if (answer === undefined) return undefined;
        return { result: answer(chain.transaction(params[0] as string, 'confirmed')!) };
      };
      await bookAll();
      await expectAll(...broken.keys());
      expect(await failureOf(transactions)).to.match(/^CheckWarning: 4 transactions/);
    });

    it('does not show one that cannot be read, and shows those after it', async () => {
      execute(1);
      await bookAll();
      chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
      const { signature } = chain.list('confirmed', { limit: 1 })[0]!;
      served.instead = (call) => (isFetch(call, signature) ? { error: UNSUPPORTED } : undefined);
      chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
      await engine.preview(NEVER_ABORTED);
      await expectAll(signature);
      chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
      await engine.preview(NEVER_ABORTED);
      await expectAll(signature);
    });
  });

  describe('that does not return what it lists', () => {
    const lies: [string, RegExp, (found: object, other: string) => unknown][] = [
      ['nothing', /the node lists it but does not return it; set RPC_URL/, () => null],
      [
        'another transaction',
        /the node returns transaction \w+ instead; set RPC_URL/,
        (_found, other) => chain.transaction(other, 'confirmed'),
      ],
      [
        'it as of another slot',
        /lists it in slot \d+, but returns it as of slot 1; set RPC_URL/,
        (found) => ({ ...found, slot: 1 }),
      ],
      ['it without metadata', /keeps no metadata of it; set RPC_URL/, (found) => ({ ...found, meta: null })],
      [
        'it as failed',
        /lists it as successful, but returns it as failed/,
        (found) => ({ ...found, meta: { ...(found as { meta: object }).meta, err: { Other: 1 } } }),
      ],
      [
        'it without inner instructions',
        /keeps no inner instructions; ask one that does/,
        (found) => ({ ...found, meta: { ...(found as { meta: object }).meta, innerInstructions: null } }),
      ],
    ];
    for (const [what, problem, lie] of lies) {
      it(`but ${what}: it waits, says why, and goes on by itself`, async () => {
        execute(2);
        await bookAll();
        const [other, held] = [newest().signature, (execute(1), newest().signature)];
        execute(2);
        served.instead = (call) =>
          isFetch(call, held) ? { result: lie(chain.transaction(held, 'confirmed')!, other) } : undefined;
        await expectHold(problem);
        served.instead = () => undefined;
        await bookAll();
        await expectAll();
        expect(await failureOf(indexerCheck(context))).to.equal('ok');
      });
    }

    it('waits in the middle of a long gap as well', async () => {
      execute(1);
      await bookAll();
      execute(35);
      const held = chain.list('finalized', { limit: 20 })[19]!.signature;
      served.instead = (call) => (isFetch(call, held) ? { result: null } : undefined);
      for (let look = 0; look < 5; look += 1) await engine.book(NEVER_ABORTED);
      expect((await state()).held).to.match(/lists it but does not return it/);
      served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    it('refuses a method for good: it says which error, and does not repeat it at once', async () => {
      execute(2);
      served.instead = ({ method }) =>
        method === 'getTransaction'
          ? { error: { code: -32011, message: 'Transaction history is not available from this node' } }
          : undefined;
      await expectHold(/error -32011: Transaction history is not available/);
      expect(node.calls.get('getTransaction')).to.be.lessThan(20);
      served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });
  });

  describe('that does not know where to list from', () => {
    it('goes on when it has cleaned up everything that is booked, and nothing else', async () => {
      execute(3);
      await bookAll();
      const booked = chain.slot('finalized');
      chain.execute([]);
      chain.finalize(Infinity);
      served.has = (slot) => slot > booked;
      await bookAll();
      execute(3);
      await bookAll();
      await expectAll();
    });

    it('lists from an older anchor when it lacks a transaction without records, and books nothing twice', async () => {
      for (let round = 0; round < 4; round += 1) {
        execute(20);
        await bookAll();
        for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) chain.execute([]);
        chain.finalize(Infinity);
      }
      execute(3);
      execute(2, 2);
      await bookAll();
      const { signature } = newest();
      expect((await loadAnchors(database.queries)).length).to.be.within(2, 5);
      served.instead = forgetting(signature);
      execute(3);
      await bookAll();
      await expectAll();
      // While nothing new comes, the older anchor serves.
      await bookAll();
      served.instead = () => undefined;
      execute(12);
      await bookAll();
      await expectAll();
    });

    it('does not go on when it lacks a transaction whose records are booked', async () => {
      execute(20);
      await bookAll();
      for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) chain.execute([]);
      execute(3);
      await bookAll();
      const { signature, slot } = newest();
      execute(3);
      served.instead = forgetting(signature);
      await expectHold(
        new RegExp(`does not know transaction ${signature} of slot ${slot}, .*; set RPC_URL to a node with`),
      );
      served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    it('holds when it knows none of the anchors, and says how far back it looked', async () => {
      for (let round = 0; round < 3; round += 1) {
        execute(2);
        await bookAll();
        for (let idle = 0; idle < ANCHOR_SLOTS; idle += 1) chain.execute([]);
        chain.finalize(Infinity);
        await bookAll();
      }
      execute(2);
      const all = (await loadAnchors(database.queries)).map(({ signature }) => signature);
      served.instead = forgetting(...all, ...(await bookedSignatures()));
      await expectHold(
        /does not know transaction \w+ of slot \d+, which was finalized, nor any of \d older ones/,
      );
      served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    it('lists a long gap again when it forgets where the listing was', async () => {
      execute(1);
      await bookAll();
      execute(45);
      let pages = 0;
      served.instead = ({ method, params }) => {
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

    it('holds when every long listing breaks off', async () => {
      execute(1);
      await bookAll();
      execute(45);
      served.instead = ({ method, params }) => {
        const { before } = (params[1] ?? {}) as { before?: string };
        if (method !== 'getSignaturesForAddress' || before === undefined) return undefined;
        return { error: { code: -32020, message: `Transaction ${before} not found` } };
      };
      await expectHold(/the listing of the history broke off 3 times/);
      served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    async function bookedSignatures(): Promise<string[]> {
      const rows = await rowsOf<{ signature: string }>(database.queries, sql`select signature from records`);
      return rows.map(({ signature }) => signature);
    }

    /** A node that does not know some transactions any more, though it has their blocks. */
    function forgetting(...signatures: readonly string[]): PartialNode['instead'] {
      const gone = new Set(signatures);
      return ({ method, params }) => {
        if (method === 'getSignatureStatuses') {
          const asked = params[0] as string[];
          const slotOf = (signature: string) => (gone.has(signature) ? null : served.slotOf(signature));
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

    it('keeps a few dozen anchors of any history, each at most twice as far away as the one before, or next to it', () => {
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
            // Of three in a row the last is more than twice as far away as the first.
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

  it('says in /ready of every instance that the node is behind what is booked', async () => {
    execute(150);
    await bookAll();
    served.slot = () => 20;
    const { indexer } = context.config;
    const strict = { ...context, config: { ...context.config, indexer: { ...indexer, lagLimitSlots: 100 } } };
    expect(await failureOf(indexerCheck(strict))).to.match(/the RPC node is \d+ slots behind what is booked/);
    await engine.book(NEVER_ABORTED);
    expect(await state()).to.include({ scannedSlot: chain.slot('finalized'), held: null });
  });

  it('says in /ready of every instance that the database indexes another program', async () => {
    execute(1);
    await bookAll();
    const other = 'Stake11111111111111111111111111111111111111';
    await database.queries.execute(sql`update indexer_state set program_id = ${other}`);
    expect(await failureOf(indexerCheck(context))).to.match(
      new RegExp(`the database indexes program ${other}, not \\w+; set PROGRAM_ID, or DATABASE_URL`),
    );
    const indexer = createIndexer({ ...context, logger: createLogger('trace', sink) }, NO_HOOKS, TUNING);
    indexer.start();
    await eventually(
      () => Promise.resolve(logged.filter(({ msg }) => msg === 'leading').length > 1),
      'two attempts',
    );
    await indexer.stop();
    expect(logged.filter(({ level }) => level >= pino.levels.values['warn']!)).to.have.lengthOf(1);
  });

  it('logs the websocket being down once, however often it tries', async () => {
    let tries = 0;
    const refusing = createServer((_request, response) => {
      tries += 1;
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const notifier = startNotifier({
      wsUrl: `ws://127.0.0.1:${port}`,
      programId: DEFAULT_DEPLOYMENT.programId.toBase58(),
      intervalMs: 1_000,
      logger: createLogger('trace', sink),
    });
    try {
      await eventually(() => Promise.resolve(tries > 2), 'three attempts');
      expect(logged).to.have.lengthOf(1);
    } finally {
      notifier.stop();
      refusing.close();
    }
  });
});

/** A call of the last key of many that there are not. */
const OUT_OF_RANGE = { programIdIndex: 99, accounts: [98], data: '' };
