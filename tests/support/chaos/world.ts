// What a chaos run happens in: a cluster, a node in front of it that misbehaves, a database, and the service in a process of its own.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import { randomStream, type Random } from '../../../scripts/random.js';
import { lamportsOf } from '../cluster/accounts.js';
import { SOL } from '../constants.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { SURVIVES_FULL_DISKS } from '../process/file-size.js';
import { buyTokens, launch, mintAccount, type Token } from '../program/tokens.js';
import { rewardsEnvironment } from '../service/rewards.js';
import { clusterEnvironment, keyVariable } from '../service/service-context.js';
import { startServiceProcess, type ServiceProcess } from '../service/service-process.js';
import { createStore, type Store, type StoreKind } from './store.js';

/** Rewards credited under this address can be claimed: the service pays lamports, whatever the token is. */
export const DIRECT_MINT = 'So11111111111111111111111111111111111111112';
const TREASURY_LAMPORTS = 10_000n * SOL;
/** Many, because claims that their wallets do not submit stay in progress for 150 blocks. */
const WALLETS = 200;
const HOLDERS = 4;

export interface World {
  readonly cluster: LocalCluster;
  /** Decides what happens: activities, faults, moments. */
  readonly random: Random;
  /** Decides details whose number depends on timing, so that they do not change the rest. */
  readonly noise: Random;
  readonly proxy: RpcProxy;
  readonly store: Store;
  readonly lp: Keypair;
  /** Gets the creator's part of each settlement. */
  readonly creator: Keypair;
  /** Lamports of the LP wallet and the creator before the first settlement, and the supply of the settled token. */
  readonly before: { readonly lp: bigint; readonly creator: bigint; readonly supply: bigint };
  /** Gives tokens to the storage. */
  readonly giver: Keypair;
  /** Own no lamports but those that they claim. */
  readonly wallets: readonly Keypair[];
  /** The token whose storage gets gifts, which the service settles. */
  readonly settled: Token;
  /** The token that other wallets trade. */
  readonly traded: Token;
  /** Lamports and base units given to the storages of the settled token. */
  readonly given: { sol: bigint; token: bigint };
  /** Lamports credited to each wallet directly, by address. */
  readonly credited: Map<string, bigint>;
  /** Signatures of the claims that the service has returned. */
  readonly handedOut: Set<string>;
  /** Tokens whose curve has been bought out. */
  readonly soldOut: Token[];
  /** The service's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The running process, while one runs. */
  service: ServiceProcess | undefined;
  start(): Promise<ServiceProcess>;
  remove(): Promise<void>;
}

export async function createWorld(cluster: LocalCluster, kind: StoreKind, seed: number): Promise<World> {
  const [random, noise] = [randomStream(seed, 0), randomStream(seed, 1)];
  const [store, proxy] = await Promise.all([createStore(kind), startRpcProxy(cluster.rpcUrl)]);
  const treasury = await cluster.fundedWallet(TREASURY_LAMPORTS);
  const [lp, creator, payer] = (await cluster.fundedWallets(3, 10n * SOL)) as [Keypair, Keypair, Keypair];
  for (const { publicKey } of [cluster.dexOwner, cluster.feeReceiver])
    await cluster.fund(publicKey, 10n * SOL);
  const [settled, traded] = [await launch(cluster, {}, creator), await launch(cluster)];
  const holders = await cluster.fundedWallets(HOLDERS, SOL);
  for (const [index, holder] of holders.entries())
    await buyTokens(cluster, settled, holder, 100_000_007n * BigInt(index + 1));
  const environment = {
    ...clusterEnvironment(cluster),
    ...rewardsEnvironment(treasury),
    ...store.environment,
    LP_ADDRESS: lp.publicKey.toBase58(),
    GRADUATION_PAYER_KEYPAIR: keyVariable(payer),
    SETTLEMENT_INTERVAL_SECONDS: '1',
    SETTLEMENT_MINIMUM_SOL: '1000000',
    SETTLEMENT_MINIMUM_TOKEN: '1000000',
    INDEXER_POLL_MS: '100',
    // Half of a start would be compiling the same program.
    NODE_COMPILE_CACHE: join(tmpdir(), 'curvekit-compiled'),
  };
  const { connection } = cluster;
  const world: World = {
    ...{ environment, cluster, random, noise, proxy, store, lp, creator, settled, traded },
    before: {
      lp: await lamportsOf(connection, lp.publicKey),
      creator: await lamportsOf(connection, creator.publicKey),
      supply: (await mintAccount(connection, settled.mint)).supply,
    },
    giver: holders.at(-1)!,
    wallets: Array.from({ length: WALLETS }, () => Keypair.generate()),
    given: { sol: 0n, token: 0n },
    credited: new Map(),
    handedOut: new Set(),
    soldOut: [],
    service: undefined,
    start: async () =>
      (world.service = await startServiceProcess(
        { rpcUrl: proxy.url, wsUrl: cluster.wsUrl, kind: cluster.kind },
        environment,
        [SURVIVES_FULL_DISKS],
      )),
    remove: async () => {
      await world.service?.kill();
      await Promise.all([proxy.stop(), store.remove()]);
    },
  };
  // Ends properly, so that the compiled program is kept.
  await (await world.start()).terminate();
  world.service = undefined;
  return world;
}
