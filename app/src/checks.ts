// What `/health` and `/ready` look at. The words of a failed check are public: they say what, not where.
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import { indexerLag } from './chain/indexer/lag.js';
import type { Context } from './context.js';
import { checkLedger } from './db/ledger-check.js';
import { NotCheckedError, type Check } from './http/health.js';

/** The ledger is read as a whole: not for everybody who asks. */
const LEDGER_KEPT_MS = 60_000;

/** Whether the ledger's balances add up. */
export function ledgerCheck({ database, metrics, logger }: Context): Check {
  const problems = new Gauge({
    name: 'curvekit_ledger_problems',
    help: 'Rules of the ledger found broken at the last look: anything but 0 needs an operator',
    registers: [metrics.registry],
  });
  return {
    name: 'ledger',
    keptMs: LEDGER_KEPT_MS,
    run: async () => {
      const found = await quietly(() => checkLedger(database.queries, { whole: false }), 'cannot be read');
      problems.set(found.length);
      if (found.length === 0) return;
      logger.fatal({ problems: found }, 'the ledger does not add up');
      throw new Error('does not add up');
    },
  };
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

/** Whether the RPC node answers. */
export function nodeCheck({ connection }: Context): Check {
  return {
    name: 'rpc',
    run: async () => {
      await quietly(() => connection.getSlot('confirmed'), 'does not answer');
    },
  };
}

/** Whether the index, which any instance may keep, is close enough to the cluster. */
export function indexerCheck(context: Context): Check {
  const limit = context.config.indexer.lagLimitSlots;
  return {
    name: 'indexer',
    run: async () => {
      const { slots, held } = await quietly(() => indexerLag(context), 'is not known');
      if (held !== undefined) throw new Error(`waits: ${held}`);
      if (slots > limit) throw new Error(`is ${slots} slots behind; at most ${limit} are allowed`);
    },
  };
}

async function quietly<T>(question: () => PromiseLike<T>, words: string): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    throw new NotCheckedError(words, { cause });
  }
}
