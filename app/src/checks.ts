// Checks of `/health` and `/ready`. A failed check's message is public: it must not reveal internals.
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import { indexerLag } from './index/lag.js';
import { countUnreadable, type UnreadableCount } from './index/store/unreadable.js';
import { paymentsHeld, stillReading } from './ledger/gate/payments-gate.js';
import { countUnreadableFindings, type UnreadableFindings } from './reconciliation/findings.js';
import type { Context } from './context.js';
import { checkLedger } from './ledger/check.js';
import { DatabaseError, type WriteFailures } from './db/errors.js';
import { pendingMigrations } from './db/migrate.js';
import { CheckWarning, looksAt, NotCheckedError, resultOf, type Check } from './http/health.js';
import { causeOf } from './base/logging/logged-error.js';

/** How long the result is shared, because every request of `/health` and every scrape runs the check. */
const LEDGER_KEPT_MS = 60_000;
/** The check reads much of a large database: a second run beside a slow one would only slow down both. */
const LEDGER_GIVEN_UP_MS = 600_000;

/** Whether the ledger's balances add up. Reading the metric also runs the check. */
export function ledgerCheck({ database, metrics, logger }: Context, keptMs = LEDGER_KEPT_MS): Check {
  const check: Check = {
    name: 'ledger',
    keptMs,
    givenUpMs: LEDGER_GIVEN_UP_MS,
    run: async () => {
      const found = await quietly(() => checkLedger(database.queries, { whole: false }), 'cannot be read');
      problems.set(found.length);
      if (found.length === 0) return;
      // Wallets and tokens are logged in full: the operator must look them up.
      logger.fatal({ problems: found }, 'the ledger does not add up: run `curvekit ledger check`');
      throw new Error('does not add up');
    },
  };
  const problems = new Gauge({
    name: 'curvekit_ledger_problems',
    help: 'Rules of the ledger found broken at the last look: anything but 0 needs an operator',
    registers: [metrics.registry],
    collect: looksAt(check),
  });
  return check;
}

/** How long a successful check of the tables and of writing is reused. */
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
          `is old (migrations to apply: ${pending.length}); run \`curvekit migrate-db\``,
        );
      }
      try {
        await database.transaction((tx) => tx.execute(PROBE));
      } catch (error) {
        logger.error(
          { err: error },
          'writing to the database failed; check its disk and the rights of its role',
        );
        throw new NotCheckedError(`cannot be written: ${unwritable(error)}`, { cause: error });
      }
      usableUntil = performance.now() + USABLE_KEPT_MS;
    },
  };
}

/** Measures whether the database can be written, by the check and by the transactions of the jobs and the requests. */
export function measureWritable(
  check: Check,
  failures: WriteFailures,
  { registry }: Context['metrics'],
): void {
  new Gauge({
    name: 'curvekit_database_writable',
    help: '0 while the database cannot be written, because its disk is full or it is read-only, or does not answer',
    registers: [registry],
    async collect() {
      const { passes } = await resultOf(check);
      this.set(passes && !failures.areRecent ? 1 : 0);
    },
  });
}

/** Writes a new page and drops it. An update of an existing row could succeed on a full disk. */
const PROBE = sql`create temporary table curvekit_write_probe on commit drop as select repeat('x', 4000) as page`;

/** PostgreSQL's reason and what to do, without internals. */
function unwritable(error: unknown): string {
  const cause = causeOf(error);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  switch (code) {
    case '53100':
      return 'its disk is full; free space on it';
    case '25006':
      return 'it is read-only: a standby, or set so; set DATABASE_URL to the primary, or make it writable';
    case '42501':
      return 'its user may not write; grant the right';
    default:
      return code === '' ? 'it does not answer' : `it answers error ${code}; its log says more`;
  }
}

/** Whether payments are open. An instance that may not pay still serves all other requests. */
export function paymentsCheck({ database }: Context): Check {
  return {
    name: 'payments',
    run: async () => {
      const reason = await quietly(() => paymentsHeld(database.queries), 'cannot be read');
      if (reason !== undefined) throw new CheckWarning(reason);
      const progress = await quietly(() => stillReading(database.queries), 'cannot be read');
      if (progress !== undefined) throw new CheckWarning(`payments go on; ${progress}`);
    },
  };
}

export function nodeCheck({ connection }: Context): Check {
  return {
    name: 'rpc',
    run: async () => {
      await quietly(() => connection.getSlot('confirmed'), 'does not answer');
    },
  };
}

/** Whether the index is close enough to the cluster. All instances report the same metric. */
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

/** Whether the gRPC feed delivers. Without it the RPC node does, so it is only a warning. */
export function feedCheck({ metrics }: Context): Check {
  return {
    name: 'feed',
    run: async () => {
      const [down, behind] = await Promise.all([metrics.feedDown.get(), metrics.feedBehindSlots.get()]);
      if (down.values[0]?.value === 1)
        throw new CheckWarning('the gRPC feed delivers nothing; the RPC node is asked for every transaction');
      const slots = behind.values[0]?.value ?? 0;
      if (slots > 0) throw new CheckWarning(`the gRPC feed is ${slots} slots behind what is finalized`);
    },
  };
}

/**
 * Whether every transaction of the program and of the service's keys could be read. Anyone can send an unreadable one, so it
 * is only a warning.
 */
export function transactionsCheck({ database, metrics }: Context): Check {
  const check: Check = {
    name: 'transactions',
    run: async () => {
      const [ofProgram, ofKeys] = await quietly(
        () => Promise.all([countUnreadable(database.queries), countUnreadableFindings(database.queries)]),
        'are not known',
      );
      unreadable.set(ofProgram.count);
      unreadableOfKeys.set(ofKeys.count);
      const warnings = [warningOf(ofProgram), warningOfKeys(ofKeys)].filter((one) => one !== undefined);
      if (warnings.length > 0) throw new CheckWarning(warnings.join('; '));
    },
  };
  const collect = looksAt(check);
  const unreadable = new Gauge({
    name: 'curvekit_indexer_unreadable_transactions',
    help: 'Transactions of the program that could not be read and are set aside; the index goes on without them',
    registers: [metrics.registry],
    collect,
  });
  const unreadableOfKeys = new Gauge({
    name: 'curvekit_payments_unreadable_transactions',
    help: "Transactions of the service's keys that could not be read and are set aside; the service did not make them",
    registers: [metrics.registry],
    collect,
  });
  return check;
}

function warningOfKeys({ count, newest }: UnreadableFindings): string | undefined {
  if (newest === undefined) return undefined;
  return `unreadable transactions of the treasury or the DEX owner: ${count}, the newest is ${newest}; upgrade Curvekit, or set RPC_URL to a node that reads them`;
}

function warningOf({ count, withRecords, newest }: UnreadableCount): string | undefined {
  if (withRecords > 0) {
    return `transactions with records that are not indexed: ${withRecords}; they could not be read before; run curvekit reindex`;
  }
  if (newest === undefined) return undefined;
  const version = newest.version === undefined ? '' : ` of version ${newest.version}`;
  return `unreadable transactions of the program: ${count}, the newest is ${newest.signature}${version}; upgrade Curvekit, or set RPC_URL to a node that reads them`;
}

async function quietly<T>(question: () => PromiseLike<T>, words: string): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    // The database itself is sound. What is wrong with it is for the operator, and reveals nothing.
    if (cause instanceof DatabaseError)
      throw new NotCheckedError(`cannot be used: ${cause.message}`, { cause });
    throw new NotCheckedError(words, { cause });
  }
}
