// The launchpad's configuration for pages, read from the RPC node at intervals.
import {
  fetchProperties,
  graduatesByItself,
  GRADUATION_VIRTUAL_TOKEN,
  TOKEN_SUPPLY,
  AMM,
} from '@curvekit/sdk';
import type { Context } from '../context.js';
import { unavailable } from '../http/problem.js';
import { publishedDeployment } from './launchpad/deployment.js';
import type { UsdPrice } from '../claims/rewards/sol-price.js';
import { CachedValue } from '../base/cached-value.js';
import type { Token } from './reads/token.js';
import { PublicKey, SYSVAR_CLOCK_PUBKEY, type Connection } from '@solana/web3.js';
import { NodeError } from '../chain/node-errors.js';

const PROPERTIES_MS = 5_000;

export type ConfigParts = Context & {
  /** Price of one SOL in USD; undefined when prices are shown in SOL. */
  readonly solPrice: UsdPrice | undefined;
};

export class MarketConfig {
  readonly #properties: CachedValue<NonNullable<Awaited<ReturnType<typeof fetchProperties>>>>;
  readonly #chain: CachedValue<string>;
  readonly #clock: ClusterClock;

  constructor(private readonly parts: ConfigParts) {
    const { connection, deployment } = parts;
    this.#clock = new ClusterClock(connection);
    this.#chain = new CachedValue(Infinity, async () => chainOf(await connection.getGenesisHash()));
    this.#properties = new CachedValue(PROPERTIES_MS, async () => {
      const properties = await fetchProperties(connection, { deployment });
      if (properties === null)
        throw unavailable("The program has no properties yet; the operator's deploy sets them");
      return properties;
    });
  }

  /** Adds the URL of the pool's page to a token; null if the AMM has no page, or if the cluster is unknown. */
  async withPoolPage(token: Token) {
    const { migration } = token;
    if (migration === null || migration.pool === null) return token;
    const chain = await this.#chain.get().catch(() => undefined);
    return chain === undefined
      ? token
      : { ...token, migration: { ...migration, url: poolPageOf(chain, token.mint) } };
  }

  /** Such as `solana:mainnet`. @throws when the RPC node does not answer */
  chain(): Promise<string> {
    return this.#chain.get();
  }

  /** Unix seconds of the cluster's clock. @throws HttpProblem 503 when the RPC node does not answer */
  now(): Promise<number> {
    return this.#clock.now().catch(noAnswer);
  }

  /** @throws when the RPC node does not answer */
  async platformFeeBps(): Promise<number> {
    return (await this.#properties.get()).platformFeeBps;
  }

  async read() {
    const { config, deployment, solPrice, now } = this.parts;
    const [properties, chain, clusterTime] = await Promise.all([
      this.#properties.get(),
      this.#chain.get(),
      this.#clock.now(),
    ]).catch(noAnswer);
    const price = solPrice?.read();
    return {
      serviceName: config.serviceName,
      chain,
      deployment: publishedDeployment(deployment),
      rpcUrl: config.web.node?.rpcUrl ?? null,
      wsUrl: config.web.node?.wsUrl ?? null,
      platformFeeBps: properties.platformFeeBps,
      creatorShareBps: config.creatorShareBps,
      initialVirtualSol: String(properties.initialVirtualSol),
      initialVirtualToken: String(properties.initialVirtualToken),
      graduationVirtualToken: String(GRADUATION_VIRTUAL_TOKEN),
      supply: String(TOKEN_SUPPLY),
      solUsd: price?.usd.toString() ?? null,
      solUsdAt: price === undefined ? null : seconds(price.at),
      solUsdAge: price === undefined ? null : Math.max(0, seconds(now() - price.at)),
      graduation: graduatesByItself(deployment) ? ('pool' as const) : ('key' as const),
      faucet: config.isSimulated,
      uploads: config.uploads.perDay > 0,
      explorer: config.web.explorerUrl ?? explorerOf(chain),
      clusterTime,
    };
  }
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);

// The cluster's name in wallets, and links to explorers.

const CHAINS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'solana:mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'solana:devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'solana:testnet',
};

/** @param genesis hash of the cluster's first block */
function chainOf(genesis: string): string {
  return CHAINS[genesis] ?? 'solana:localnet';
}

/** The AMM's own page of a token's pool; null if the AMM has none. */
function poolPageOf(chain: string, mint: string): string | null {
  return chain === 'solana:mainnet' ? AMM.pageOf(new PublicKey(mint)) : null;
}

/**
 * Explorer URL, in which `{path}` is `tx/SIGNATURE` or `address/ADDRESS`. Null for a local cluster, which no explorer can
 * reach.
 */
function explorerOf(chain: string): string | null {
  if (chain === 'solana:localnet') return null;
  const cluster = chain === 'solana:mainnet' ? '' : `?cluster=${chain.slice('solana:'.length)}`;
  return `https://explorer.solana.com/{path}${cluster}`;
}

const noAnswer = (error: unknown): never => {
  throw unavailable('The node does not answer; try again later', error);
};

// The cluster's clock, as programs see it. On a simulated cluster it lags or jumps.

const MAX_AGE_MS = 5_000;
const UNIX_TIMESTAMP_OFFSET = 32;

export class ClusterClock {
  readonly #read: CachedValue<{ readonly seconds: number; readonly at: number }>;

  constructor(connection: Pick<Connection, 'getAccountInfo'>) {
    this.#read = new CachedValue(MAX_AGE_MS, async () => {
      const account = await connection.getAccountInfo(SYSVAR_CLOCK_PUBKEY, 'confirmed');
      if (account === null) throw new NodeError('the node has no clock sysvar');
      const seconds = Number(Buffer.from(account.data).readBigInt64LE(UNIX_TIMESTAMP_OFFSET));
      return { seconds, at: performance.now() };
    });
  }

  /** Unix seconds. @throws when the RPC node does not answer */
  async now(): Promise<number> {
    const { seconds, at } = await this.#read.get();
    return seconds + Math.floor((performance.now() - at) / 1_000);
  }
}
