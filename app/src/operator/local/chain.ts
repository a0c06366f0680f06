import type { LocalCluster } from '@curvekit/testing';
import type { Keypair } from '@solana/web3.js';
import { startedOnce, type Job } from '../../db/jobs/leader-job.js';
import type { Logger } from '../../base/logging/logging.js';
import { OPENING_IDENTITIES } from './identities.js';
import { createMarket, launchable, type LaunchableToken } from './market.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from '@curvekit/sdk';

const TRADERS = 6;
const PARTNER_USERS = 3;
const TRADER_LAMPORTS = 1_000_000_000_000n;
const WALLET_LAMPORTS = 1_000_000_000_000n;
const PAYER_LAMPORTS = 1_000_000_000n;

export interface LocalChain {
  /** To be launched when the service runs, which stores their pictures. */
  readonly tokens: readonly LaunchableToken[];
  /** Simulated wallets that trade. */
  readonly traders: readonly Keypair[];
  /** The traders whom the partner registers. */
  readonly users: readonly Keypair[];
}

/** Funds simulated wallets, the payer of graduations and the wallet of somebody who tries it. */
export async function prepareChain(
  cluster: LocalCluster,
  graduationPayer: Keypair,
  wallet: Keypair,
): Promise<LocalChain> {
  const [traders] = await Promise.all([
    cluster.fundedWallets(TRADERS, TRADER_LAMPORTS),
    cluster.fund(graduationPayer.publicKey, PAYER_LAMPORTS),
    cluster.fund(wallet.publicKey, WALLET_LAMPORTS),
  ]);
  const tokens = OPENING_IDENTITIES.map(launchable);
  return { tokens, traders, users: traders.slice(0, PARTNER_USERS) };
}

/** Trades, launches tokens, and lets time pass, until the returned jobs are stopped. */
export function simulate(
  cluster: LocalCluster,
  { tokens, traders }: LocalChain,
  launchpadUrl: string,
  logger: Logger,
): Job[] {
  const jobs = [createMarket(cluster, tokens, traders, launchpadUrl, logger), createClock(cluster, logger)];
  for (const job of jobs) job.start();
  return jobs;
}

// Advances the clock of a simulated cluster, where time advances only with transactions. Otherwise a new pool would stay
// closed until the next trade.

const SECOND_MS = 1_000;

/** Keeps a simulated cluster's clock at real time. Does nothing on other clusters. */
function createClock(cluster: LocalCluster, logger: Logger): Job {
  return startedOnce('clock', async (signal) => {
    if (cluster.kind !== 'surfpool') return;
    let before = (await cluster.clock()).unixTimestamp;
    while (!signal.aborted) {
      await sleep(SECOND_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { unixTimestamp: now } = await cluster.clock();
        if (now <= before) await cluster.timeTravelToTimestamp(before + 1n);
        before = now > before ? now : before + 1n;
      } catch (error) {
        // Meanwhile a transaction has advanced the clock.
        if (error instanceof InvalidArgumentError) continue;
        logger.warn({ err: error }, "moving the local cluster's clock failed; it is tried again in a second");
      }
    }
  });
}
