// Graduates sold-out curves, on one instance at a time. If another client graduates a curve first, the job skips it.
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import pLimit from 'p-limit';
import { Counter, Gauge } from 'prom-client';
import { Backoff } from '@curvekit/sdk';
import type { Context } from '../context.js';
import type { Job } from '../jobs/job.js';
import { leaderJob } from '../jobs/leader-job.js';
import type { Signer } from '../signers/signer.js';
import { buyDust } from './dust.js';
import { graduateToken } from './graduate-token.js';
import { hasGraduationProgram } from './graduating.js';
import { countWaiting, waitingTokens, type WaitingToken } from './waiting-tokens.js';

const INTERVAL_MS = 500;
/** How often to check whether the program is deployed, until it is. */
const PROGRAM_INTERVAL_MS = 60_000;
const AT_ONCE = 4;
/** Delay between two attempts for a token: its records need time to be indexed, and a failure may last. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/** Undefined without GRADUATION_PAYER_KEYPAIR. */
export function createGraduationJob(context: Context): Job | undefined {
  const { config, connection, deployment, database, logger, metrics } = context;
  const payer = config.graduationPayer;
  const registers = [metrics.registry];
  const waiting = new Gauge({
    name: 'curvekit_graduations_waiting',
    help: 'Curves that are sold out and have no pool yet',
    registers,
    collect: async () => {
      await countWaiting(database.queries).then(
        (count) => waiting.set(count),
        () => waiting.set(NaN),
      );
    },
  });
  if (payer === undefined) return undefined;
  const total = new Counter({
    name: 'curvekit_graduations_total',
    help: 'Curves that this instance took to their pool',
    registers,
  });

  return leaderJob({
    name: 'graduation',
    database,
    logger,
    work: async (signal, leading) => {
      const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
      while (!signal.aborted && !(await hasGraduationProgram(connection, deployment))) {
        await pause(PROGRAM_INTERVAL_MS);
      }
      const tries = new Tries(context.now);
      const limit = pLimit(AT_ONCE);
      while (!signal.aborted) {
        const due = tries.due(await waitingTokens(leading.queries));
        await Promise.all(
          due.map((token) =>
            limit(async () => {
              if (!signal.aborted && (await takeOn(context, payer, token))) total.inc();
            }),
          ),
        );
        await pause(INTERVAL_MS);
      }
    },
    retryMs: FIRST_PAUSE_MS,
  });
}

/** Graduates one token, after buying its dust if needed. @returns whether this call graduated the token */
async function takeOn(context: Context, payer: Signer, { mint, hasDust }: WaitingToken): Promise<boolean> {
  const { logger } = context;
  const token = new PublicKey(mint);
  try {
    if (hasDust) {
      const bought = await buyDust(context, payer, token);
      if (bought === undefined) return false;
      logger.info({ mint, signature: bought }, 'the rest of a curve was bought, so that it can graduate');
    }
    const signature = await graduateToken(context, payer, token);
    if (signature === undefined) logger.info({ mint }, 'somebody else has graduated the token');
    else logger.info({ mint, signature }, 'a token has its pool');
    return signature !== undefined;
  } catch (error) {
    logger.error({ err: error, mint }, 'graduating a token failed; it is tried again');
    return false;
  }
}

/** When each token may be retried. */
class Tries {
  readonly #next = new Map<string, { at: number; readonly backoff: Backoff }>();

  constructor(private readonly now: () => number) {}

  due(tokens: readonly WaitingToken[]): WaitingToken[] {
    const known = new Set(tokens.map(({ mint }) => mint));
    for (const mint of this.#next.keys()) if (!known.has(mint)) this.#next.delete(mint);
    return tokens.filter(({ mint }) => {
      const entry = this.#next.get(mint) ?? {
        at: 0,
        backoff: new Backoff({ firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS }),
      };
      if (this.now() < entry.at) return false;
      entry.at = this.now() + entry.backoff.next();
      this.#next.set(mint, entry);
      return true;
    });
  }
}
