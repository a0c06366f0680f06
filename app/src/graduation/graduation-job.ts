// Graduates sold-out curves, on one instance at a time. If another client graduates a curve first, the job skips it.
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import type { Context } from '../context.js';
import { leaderJob, type Job } from '../db/jobs/leader-job.js';
import { shownMessage } from '../base/logging/logged-error.js';
import type { Signer } from '../keys/signer.js';
import { graduateToken } from './graduate-token.js';
import { submit, hasGraduationProgram, graduating } from './submit.js';
import { countWaiting, dueTokens, graduations, type WaitingToken } from './waiting-tokens.js';
import { createBurnInstruction } from '@solana/spl-token';
import {
  associatedTokenAddress,
  buy,
  closeTokenAccount,
  CurveStatus,
  fetchCurveState,
  GRADUATION_VIRTUAL_TOKEN,
  quoteBuyExactOut,
} from '@curvekit/sdk';
import { askNode } from '../chain/connection.js';
import { inSpan } from '../base/tracing/spans.js';
import { measure } from '../base/metrics.js';

const INTERVAL_MS = 250;
/** How often to check whether the program is deployed, until it is. */
const PROGRAM_INTERVAL_MS = 60_000;
const AT_ONCE = 4;
/** Delay between two attempts for a token: its records need time to be indexed, and a failure may last. */
const PAUSES = { firstMs: 5_000, longestMs: 300_000 };

/** Undefined without GRADUATION_PAYER_KEYPAIR. */
export function createGraduationJob(context: Context): Job | undefined {
  const { config, connection, deployment, database, logger, metrics } = context;
  const payer = config.graduationPayer;
  const registers = [metrics.registry];
  measure(
    metrics.registry,
    'curvekit_graduations_waiting',
    'Curves that are sold out and have no pool yet',
    () => countWaiting(database.queries),
  );
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
    work: async (signal, leading, step) => {
      const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
      while (!signal.aborted && !(await step(() => hasGraduationProgram(connection, deployment)))) {
        await pause(PROGRAM_INTERVAL_MS);
      }
      await leading.transaction((tx) => graduations.wake(tx, context.now()));
      const limit = pLimit(AT_ONCE);
      while (!signal.aborted) {
        const due = await leading.transaction((tx) => dueTokens(tx, context.now()));
        await Promise.all(
          due.map((token) =>
            limit(async () => {
              if (signal.aborted) return;
              const { isOurs, problem } = await step(() => takeOn(context, payer, token));
              if (isOurs) total.inc();
              const postponed = { subject: token.mint, problem, now: context.now(), pauses: PAUSES };
              await leading.transaction((tx) => graduations.postpone(tx, postponed));
            }),
          ),
        );
        await pause(INTERVAL_MS);
      }
    },
    retryMs: PAUSES.firstMs,
  });
}

interface Attempt {
  /** Whether this call graduated the token. */
  readonly isOurs: boolean;
  readonly problem: string | null;
}

/** Graduates one token, after buying its dust if needed. */
async function takeOn(context: Context, payer: Signer, { mint, hasDust }: WaitingToken): Promise<Attempt> {
  const { logger } = context;
  const token = new PublicKey(mint);
  try {
    if (hasDust) {
      const bought = await buyDust(context, payer, token);
      if (bought === undefined) return { isOurs: false, problem: null };
      logger.info({ mint, signature: bought }, 'the rest of a curve was bought, so that it can graduate');
    }
    const signature = await graduateToken(context, payer, token);
    if (signature === undefined) logger.info({ mint }, 'somebody else has graduated the token');
    else logger.info({ mint, signature }, 'a token has its pool');
    return { isOurs: signature !== undefined, problem: null };
  } catch (error) {
    logger.error(
      { err: error, mint },
      'graduating a token failed and is tried again: `curvekit tasks` says when',
    );
    return { isOurs: false, problem: shownMessage(error) };
  }
}

// Buys the last tokens of a curve when so few are left that ordinary buys fail. An attacker could leave such dust on
// purpose, to prevent the graduation.

/** Maximum token units that count as dust: 100 tokens. */
export const DUST_TOKENS = 100_000_000n;
/** Maximum lamports spent on dust, including the fee. */
const MOST_LAMPORTS = 100_000n;

/**
 * Buys the dust of a curve if it is cheap. Burns the tokens and closes their account, so that the payer spends only the
 * price. If the payer has a token account already, the tokens stay in it.
 *
 * @returns the signature; undefined when nothing is left to buy, or the dust costs too much
 * @throws errors of the RPC node or the cluster
 */
async function buyDust(context: Context, payer: Signer, mint: PublicKey): Promise<string | undefined> {
  const { connection } = context;
  const deployment = graduating(context.deployment);
  const owner = payer.publicKey;
  const { address } = associatedTokenAddress(owner, mint);
  const [curve, account] = await askNode(
    Promise.all([fetchCurveState(connection, mint, { deployment }), connection.getAccountInfo(address)]),
  );
  if (curve?.initialized !== CurveStatus.Trading) return undefined;
  const left = curve.virtualToken - GRADUATION_VIRTUAL_TOKEN;
  const { solToSpend } = quoteBuyExactOut(curve, left);
  if (left > DUST_TOKENS || solToSpend > MOST_LAMPORTS) return undefined;
  const instructions = buy({ mint, payer: owner, solToSpend, minTokenToReceive: left, deployment });
  if (account === null) {
    instructions.push(createBurnInstruction(address, mint, owner, left), closeTokenAccount(address, owner));
  }
  return inSpan('buy dust', { 'curvekit.mint': mint.toBase58() }, () =>
    submit(context, deployment, instructions, payer),
  );
}
