// Passes over tokens of a test database, with a node that has their storages. Nothing is paid.
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { SOL } from '../constants.js';
import { openTestDatabase } from '../database/database.js';
import { storeToken } from '../database/index-rows.js';
import { openPaymentsGate } from '../database/payments-gate.js';
import { taskRows } from '../database/task-rows.js';
import { newAddress } from '../new-address.js';
import { startStoragesNode, type StoragesNode } from '../node/storages-node.js';
import { linesInto } from './logged-lines.js';
import { contextFrom, keyVariable } from './service-context.js';

export const INTERVAL_MS = 600_000;

interface LoggedLine {
  readonly level: number;
  readonly msg: string;
  readonly mint?: string;
  readonly err?: object;
}

interface Storages {
  readonly sol?: bigint;
  readonly token?: bigint;
  readonly creator?: string;
  readonly holdersBps?: number;
}

/** A new node and database for each test of the surrounding `describe`. @param level of the lines that are kept */
export function usePasses(level: 'info' | 'warn' = 'warn') {
  const [dexOwner, treasury] = [Keypair.generate(), Keypair.generate()];
  const logged: LoggedLine[] = [];
  let node: StoragesNode;
  let database: Database;
  let context: Context;
  let stopping: AbortController;

  const contextWith = async (changes: Record<string, string>): Promise<Context> => ({
    ...(await contextFrom(
      {
        RPC_URL: node.url,
        DEX_OWNER_KEYPAIR: keyVariable(dexOwner),
        TREASURY_KEYPAIR: keyVariable(treasury),
        SETTLEMENT_INTERVAL_SECONDS: String(INTERVAL_MS / 1_000),
        ...changes,
      },
      database,
    )),
    logger: pino({ level }, linesInto(logged)),
  });
  beforeEach(async () => {
    node = await startStoragesNode();
    database = await openTestDatabase();
    await openPaymentsGate(database);
    context = await contextWith({});
    stopping = new AbortController();
    logged.length = 0;
  });
  afterEach(async () => {
    await database.close();
    await node.stop();
  });

  return {
    node: () => node,
    database: () => database,
    context: () => context,
    /** Stops what a test runs. */
    stopping: () => stopping,
    contextWith,
    /** Lines of the level and above. */
    logged,
    /** A token with storages that are due by default. */
    token: async ({ sol = SOL, token = 0n, creator = newAddress(), holdersBps = 10_000 }: Storages = {}) => {
      const mint = newAddress();
      await storeToken(database.queries, { mint, creator, holdersBps });
      node.give(mint, context.deployment, { sol, token });
      return mint;
    },
    /** A token whose storages do not exist. */
    tokenWithoutStorages: async () => {
      const mint = newAddress();
      await storeToken(database.queries, { mint });
      return mint;
    },
    begun: () =>
      rowsOf<{ mint: string; state: string; value: string; period: number; samples: number; slot: number }>(
        database.queries,
        sql`select mint, state, value::text as value, period_ms::integer as period, samples,
              started_slot::integer as slot from settlements order by id`,
      ),
    tasks: () => taskRows(database),
    addTask: (subject: string, dueAt: number) =>
      database.queries.execute(sql`
        insert into tasks (kind, subject, attempts, due_at)
        values ('settlement', ${subject}, 3, ${new Date(dueAt).toISOString()}::timestamptz)
      `),
    /** From now on the node breaks the connection of requests for the accounts of a settlement's recipients. */
    loseRecipients: (isOf: (creator: string) => boolean = () => true, onLost = (): void => undefined) => {
      node.setFaults((call, result) => {
        const creator = creatorAsked(call);
        if (creator === undefined || !isOf(creator)) return result;
        onLost();
        throw new Error('the connection breaks');
      });
    },
  };
}

/** The creator in a request for the accounts of a settlement's recipients: treasury, LP address, creator; two each. */
export function creatorAsked({ method, params }: { method: string; params: readonly unknown[] }) {
  const addresses = params[0] as readonly string[];
  return method === 'getMultipleAccounts' && addresses.length === 6 ? addresses[4] : undefined;
}
