// What `/health` and `/ready` look at. The words of a failed check are public: they say what, not where.
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import { indexerLag } from './chain/indexer/lag.js';
import { paymentsHeld } from './chain/payments/gate.js';
import type { Context } from './context.js';
import { checkLedger } from './db/ledger-check.js';
import { CheckWarning, NotCheckedError, resultOf, type Check } from './http/health.js';

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

/** Whether the database answers. */
export function databaseCheck({ database }: Context): Check {
  return {
    name: 'database',
    run: async () => {
      await quietly(() => database.queries.execute(sql`select 1`), 'does not answer');
    },
  };
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
      const { slots, held } = await quietly(() => indexerLag(context), 'is not known');
      if (held !== undefined) throw new Error(`waits: ${held}`);
      if (slots > limit) throw new Error(`is ${slots} slots behind; at most ${limit} are allowed`);
    },
  };
  context.metrics.beforeLagIsRead(() => resultOf(check));
  return check;
}

async function quietly<T>(question: () => PromiseLike<T>, words: string): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    throw new NotCheckedError(words, { cause });
  }
}
