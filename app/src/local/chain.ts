import type { LocalCluster } from '@curvekit/testing';
import type { Keypair } from '@solana/web3.js';
import type { Job } from '../jobs/job.js';
import type { Logger } from '../logging/logging.js';
import { createClock } from './clock.js';
import { createMarket, launchTokens, type LocalToken } from './market.js';

const TRADERS = 6;
const PARTNER_USERS = 3;
const TRADER_LAMPORTS = 1_000_000_000_000n;
const WALLET_LAMPORTS = 1_000_000_000_000n;
const PAYER_LAMPORTS = 1_000_000_000n;

/** What a local launchpad has on its cluster. */
export interface LocalChain {
  readonly tokens: readonly LocalToken[];
  /** Simulated wallets that trade. */
  readonly traders: readonly Keypair[];
  /** The traders whom the partner registers. */
  readonly users: readonly Keypair[];
}

/** Launches tokens, and funds simulated wallets, the payer of graduations and the wallet of somebody who tries it. */
export async function prepareChain(
  cluster: LocalCluster,
  graduationPayer: Keypair,
  wallet: Keypair,
): Promise<LocalChain> {
  const [traders, tokens] = await Promise.all([
    cluster.fundedWallets(TRADERS, TRADER_LAMPORTS),
    launchTokens(cluster, cluster.payer),
    cluster.fund(graduationPayer.publicKey, PAYER_LAMPORTS),
    cluster.fund(wallet.publicKey, WALLET_LAMPORTS),
  ]);
  return { tokens, traders, users: traders.slice(0, PARTNER_USERS) };
}

/** Trades, and lets time pass, until the returned jobs are stopped. */
export function simulate(cluster: LocalCluster, { tokens, traders }: LocalChain, logger: Logger): Job[] {
  const jobs = [createMarket(cluster, tokens, traders, logger), createClock(cluster, logger)];
  for (const job of jobs) job.start();
  return jobs;
}
