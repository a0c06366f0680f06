// The indexer's engine on an RPC node that has only the part of a chain's history that the test allows.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { IndexerEngine } from '#app/index/engine.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { indexerLag } from '#app/index/lag.js';
import { NodeHistory } from '#app/index/node-history.js';
import { reindex } from '#app/index/reindex.js';
import type { Tuning } from '#app/index/tuning.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { createMetrics, type Metrics } from '#app/base/metrics.js';
import { expectIndexOf } from '../cluster/chain-records.js';
import { NEVER_ABORTED, SOL } from '../constants.js';
import { openTestDatabase } from '../database/database.js';
import { ForkingChain } from './forking-chain.js';
import { PartialNode } from './partial-node.js';
import { startScriptedNode, type ScriptedNode } from './scripted-node.js';

export const TUNING: Tuning = { pageSize: 10, batchSize: 7, lookupTimeoutMs: 1_000 };
/** Number of blocks; more than the indexer follows without checking for gaps. */
export const LONG = 60;
export const FULL_HISTORY = /; set RPC_URL to a node with full history$/;

/** Which slots a node has if it lacks these. */
export const lacks = (from: number, to: number) => (slot: number) => slot < from || slot > to;

/** The initial state of a test: a new chain and an empty index. */
export interface IndexedChain {
  readonly database: Database;
  readonly chain: ForkingChain;
  readonly served: PartialNode;
  readonly node: ScriptedNode;
}

/** @param isStrict whether the node refuses to list from unknown transactions, as Agave 4 does */
export function useIndexedChain(isStrict: boolean) {
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
    // Each test has another chain.
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

  /** Opens the engine, as the indexer does when it becomes the leader. */
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

  /** Adds blocks, every `every`-th with a trade. */
  function trade(blocks: number, every: number): void {
    for (let count = 0; count < blocks; count += 1) {
      chain.execute(count % every === 0 ? [[{ kind: 'buy', token: 0, lamports: SOL / 100n }]] : []);
    }
    chain.finalize(Infinity);
  }

  /** Creates a token and trades, and books everything. @returns the newest slot */
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

  /** Expects the indexer to book nothing in several passes, and to log the problem once. */
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

  /** Expects the indexer to continue by itself once the node has the whole history. */
  async function expectGoesOn(): Promise<void> {
    served.has = () => true;
    await engine.book(NEVER_ABORTED);
    await engine.book(NEVER_ABORTED);
    await expectAll();
  }

  return {
    current: (): IndexedChain => ({ database, chain, served, node }),
    /** Runs one pass of the indexer. */
    book: () => engine.book(NEVER_ABORTED),
    isHeld: () => engine.isHeld,
    forgetLog: () => void (logged = []),
    ...{ openEngine, trade, beginning, expectAll, state, warnings, expectHold, expectGoesOn },
  };
}
