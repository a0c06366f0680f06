// What `/health` and `/ready` look at. The words of a failed check are public: they say what, not where.
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import { indexerLag } from './indexer/lag.js';
import { countUnreadable, type UnreadableCount } from './indexer/store/unreadable.js';
import { paymentsHeld } from './gate/payments-gate.js';
import type { Context } from './context.js';
import { checkLedger } from './ledger/check.js';
import { pendingMigrations } from './db/migration-state.js';
import { CheckWarning, NotCheckedError, resultOf, type Check } from './http/health.js';
import { causeOf } from './logging/logged-error.js';

/** The ledger is read as a whole: not for everybody who asks. */
const LEDGER_KEPT_MS = 60_000;

/** Whether the ledger's balances add up. Whoever reads the metric makes the check as well. */
export function ledgerCheck({ database, metrics, logger }: Context, keptMs = LEDGER_KEPT_MS): Check {
  const check: Check = {
    name: 'ledger',
    keptMs,
    run: async () => {
      const found = await quietly(() => checkLedger(database.queries, { whole: false }), 'cannot be read');
      problems.set(found.length);
      if (found.length === 0) return;
      // Wallets and tokens stay whole, for they are what an operator has to look up.
      logger.fatal({ problems: found }, 'the ledger does not add up');
      throw new Error('does not add up');
    },
  };
  const problems = new Gauge({
    name: 'curvekit_ledger_problems',
    help: 'Rules of the ledger found broken at the last look: anything but 0 needs an operator',
    registers: [metrics.registry],
    collect: async () => {
      await resultOf(check);
    },
  });
  return check;
}

/** How long it counts that the database has its tables and can be written. */
const USABLE_KEPT_MS = 5_000;

/** Whether the database answers, has the tables of this version, and can be written. */
export function databaseCheck({ database, logger }: Pick<Context, 'database' | 'logger'>): Check {
  let usableUntil = 0;
  return {
    name: 'database',
    run: async () => {
      await quietly(() => database.queries.execute(sql`select 1`), 'does not answer');
      if (performance.now() < usableUntil) return;
      const pending = await quietly(() => pendingMigrations(database.queries), 'does not answer');
      if (pending.length > 0) {
        throw new NotCheckedError(
          `is old: ${pending.length} migrations are missing; run \`curvekit migrate-db\``,
        );
      }
      try {
        await database.transaction((tx) => tx.execute(PROBE));
      } catch (error) {
        logger.error({ err: error }, 'the database cannot be written');
        throw new NotCheckedError(`cannot be written: ${unwritable(error)}`, { cause: error });
      }
      usableUntil = performance.now() + USABLE_KEPT_MS;
    },
  };
}

/** A new page on the disk that nobody keeps: a row of a table that is there could be written on a full disk as well. */
const PROBE = sql`create temporary table curvekit_write_probe on commit drop as select repeat('x', 4000) as page`;

/** PostgreSQL's reasons, with what to do; in words that say nothing of the inside. */
function unwritable(error: unknown): string {
  const cause = causeOf(error);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  switch (code) {
    case '53100':
      return 'its disk is full; free space on it';
    case '25006':
      return 'it is read-only: a standby, or switched so; set DATABASE_URL to the primary, or make it writable';
    case '42501':
      return 'its user has no right to; grant it';
    default:
      return code === '' ? 'it does not answer' : `it answers error ${code}; its log says more`;
  }
}

/** Whether payments may be made. An instance that may not pay serves everything else. */
export function paymentsCheck({ database }: Context): Check {
  return {
    name: 'payments',
    run: async () => {
      const reason = await quietly(() => paymentsHeld(database.queries), 'cannot be read');
      if (reason !== undefined) throw new CheckWarning(reason);
    },
  };
}

/** Whether the RPC node answers. */
export function nodeCheck({ connection }: Context): Check {
  return {
    name: 'rpc',
    run: async () => {
      await quietly(() => connection.getSlot('confirmed'), 'does not answer');
    },
  };
}

/** Whether the index, which any instance may keep, is close enough to the cluster. The metric is the same on all of them. */
export function indexerCheck(context: Context): Check {
  const limit = context.config.indexer.lagLimitSlots;
  const check: Check = {
    name: 'indexer',
    run: async () => {
      const { slots, nodeBehind, held, programId } = await quietly(() => indexerLag(context), 'is not known');
      const configured = context.deployment.programId.toBase58();
      if (programId !== undefined && programId !== configured) {
        throw new Error(
          `the database indexes program ${programId}, not ${configured}; set PROGRAM_ID, or DATABASE_URL to another database`,
        );
      }
      if (held !== undefined) throw new Error(`waits: ${held}`);
      if (slots > limit) throw new Error(`is ${slots} slots behind; at most ${limit} are allowed`);
      if (nodeBehind > limit) {
        throw new Error(
          `waits: the RPC node is ${nodeBehind} slots behind what is booked; at most ${limit} are allowed; set RPC_URL to a node that keeps up`,
        );
      }
    },
  };
  context.metrics.beforeIndexIsRead(() => resultOf(check));
  return check;
}

/** Whether every transaction of the program could be read. Anyone can send one that cannot, so it is a warning only. */
export function transactionsCheck({ database, metrics }: Context): Check {
  const check: Check = {
    name: 'transactions',
    run: async () => {
      const found = await quietly(() => countUnreadable(database.queries), 'are not known');
      unreadable.set(found.count);
      const warning = warningOf(found);
      if (warning !== undefined) throw new CheckWarning(warning);
    },
  };
  const unreadable = new Gauge({
    name: 'curvekit_indexer_unreadable_transactions',
    help: 'Transactions of the program that could not be read and are set aside; the index goes on without them',
    registers: [metrics.registry],
    collect: async () => {
      await resultOf(check);
    },
  });
  return check;
}

function warningOf({ count, withRecords, newest }: UnreadableCount): string | undefined {
  if (withRecords > 0) {
    return `${withRecords} transactions that could not be read before hold records that are not indexed; run curvekit reindex`;
  }
  if (newest === undefined) return undefined;
  const version = newest.version === undefined ? '' : ` of version ${newest.version}`;
  return `${count} transactions of the program cannot be read, the newest is ${newest.signature}${version}; upgrade Curvekit, or set RPC_URL to a node that reads them`;
}

async function quietly<T>(question: () => PromiseLike<T>, words: string): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    throw new NotCheckedError(words, { cause });
  }
}
