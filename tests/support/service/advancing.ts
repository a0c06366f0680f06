// The settler's turns on a database with open settlements, a clock of the test, and a node on which nobody holds tokens.
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { advanceSettlements, type AdvanceOptions } from '#app/graduation/settlement/advance.js';
import type { SettlementReport } from '#app/graduation/settlement/report.js';
import { openTestDatabase } from '../database/database.js';
import { insertOpenSettlement, type OpenSettlement } from '../database/open-settlement.js';
import { taskRows } from '../database/task-rows.js';
import { startFakeNode, type FakeNode } from '../node/fake-node.js';
import { linesInto } from './logged-lines.js';
import { contextFrom } from './service-context.js';

/** Slot of the node's answers. */
export const SLOT = 1_000;

/** Everything is new for each test. */
export function useAdvancing() {
  const at = {} as {
    node: FakeNode;
    database: Database;
    context: Context;
    stopping: AbortController;
    /** The clock, in Unix milliseconds: it stands, or runs `speed` times as fast as ours. */
    time: number;
    speed: number;
    /** Awaited before each answer of the node. */
    beforeAnswer: () => Promise<void>;
  };
  let since: number;
  const logged: Readonly<Record<string, unknown>>[] = [];
  const reports: SettlementReport[] = [];

  before('start a node', async () => {
    at.node = await startFakeNode(async ({ method }) => {
      if (method !== 'getProgramAccounts') throw new Error(`${method} is not expected`);
      await at.beforeAnswer();
      return { context: { slot: SLOT }, value: [] };
    });
  });
  after(() => at.node.stop());
  beforeEach(async () => {
    at.database = await openTestDatabase();
    const environment = { RPC_URL: at.node.url, SETTLEMENT_INTERVAL_SECONDS: '600' };
    const made = await contextFrom(environment, at.database);
    [at.time, at.speed, since] = [1_800_000_000_000, 0, performance.now()];
    const now = () => Math.floor(at.time + (performance.now() - since) * at.speed);
    at.context = { ...made, logger: pino({ level: 'info' }, linesInto(logged)), now };
    at.stopping = new AbortController();
    at.beforeAnswer = () => Promise.resolve();
    [logged.length, reports.length] = [0, 0];
  });
  afterEach(async () => {
    at.node.setDown(false);
    await at.database.close();
  });

  return Object.assign(at, {
    logged,
    reports,
    reported: () => reports.map(({ mint }) => mint),
    tasks: () => taskRows(at.database),
    /** Inserts an open settlement that begins now. @returns its token */
    open: async (mint: string, given: OpenSettlement = {}): Promise<string> => {
      await insertOpenSettlement(at.database, mint, at.time, given);
      return mint;
    },
    advance: (options: Partial<AdvanceOptions> = {}): Promise<number> =>
      advanceSettlements(at.context, {
        signal: at.stopping.signal,
        onReport: (report) => void reports.push(report),
        ...options,
      }),
  });
}
