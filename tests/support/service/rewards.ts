// A running service with a treasury and a token, for tests of rewards and claims.
import { createHash } from 'node:crypto';
import { Keypair, VersionedTransaction, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import type { LocalCluster } from '@curvekit/testing';
import type { Asset } from '#app/ledger/accounts.js';
import { checkLedger } from '#app/ledger/check.js';
import type { Database } from '#app/db/database.js';
import type { Service, ServiceOptions } from '#app/service.js';
import { ApiClient, type ApiAnswer } from './api-client.js';
import { signText } from './partner-service.js';
import { eventually } from './service.js';
import { keyVariable } from './service-context.js';
import { startTestService } from './test-service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { creditOf } from '#tests/database/ledger.js';
import { makeBlocks } from '#tests/cluster/blocks.js';

const TREASURY_LAMPORTS = 100_000_000_000n;
const TREASURY_BUYS_FOR = 5_000_000_000n;

export interface RewardsScene {
  readonly service: Service;
  readonly api: ApiClient;
  readonly database: Database;
  readonly treasury: Keypair;
  /** An indexed token, of which the treasury has plenty. */
  readonly token: Token;
  readonly mint: string;
  /** @returns a new wallet with one reward */
  rewarded(asset: Asset, amount: bigint): Promise<Keypair>;
  stop(): Promise<void>;
}

export interface SceneOptions extends ServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Starts a signer that holds the treasury's key. @returns the value of TREASURY_KEYPAIR */
  readonly startSigner?: (treasury: Keypair) => Promise<string>;
}

/** The environment of a service with that treasury and very high rate limits. */
export function rewardsEnvironment(treasury: Keypair): Record<string, string> {
  return {
    PORT: '0',
    RATE_LIMIT_REQUESTS: '1000000',
    MARKET_RATE_LIMIT_REQUESTS: '1000000',
    SETTLEMENT_INTERVAL_SECONDS: '0',
    TREASURY_KEYPAIR: keyVariable(treasury),
  };
}

export async function startRewardsScene(
  cluster: LocalCluster,
  { environment = {}, startSigner, ...options }: SceneOptions = {},
): Promise<RewardsScene> {
  const treasury = await cluster.fundedWallet(TREASURY_LAMPORTS);
  const token = await launch(cluster);
  await buyTokens(cluster, token, treasury, TREASURY_BUYS_FOR);
  const own = {
    ...rewardsEnvironment(treasury),
    ...(startSigner !== undefined && { TREASURY_KEYPAIR: await startSigner(treasury) }),
    ...environment,
  };
  const service = await startTestService(cluster, own, { reconcilerIntervalMs: 50, ...options });
  const { database } = service.context;
  const mint = token.mint.toBase58();
  await untilKnown(database, mint);
  return {
    service,
    api: new ApiClient(service.url, service.document),
    database,
    treasury,
    token,
    mint,
    rewarded: async (asset, amount) => {
      const wallet = Keypair.generate();
      await reward(database, wallet.publicKey, mint, asset, amount);
      return wallet;
    },
    stop: () => service.stop(),
  };
}

/** One scene for all tests of the surrounding `describe`, after which the ledger must add up. */
export function useRewardsScene(
  cluster: () => LocalCluster,
  options: () => SceneOptions = () => ({}),
): RewardsScene {
  const scene = {} as RewardsScene;
  before('start the service', async () => {
    Object.assign(scene, await startRewardsScene(cluster(), options()));
  });
  after(async () => {
    if (!('stop' in scene)) return;
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
    await scene.stop();
  });
  return scene;
}

async function untilKnown(database: Database, mint: string): Promise<void> {
  await eventually(
    async () =>
      (await database.queries.query.tokens.findFirst({ where: (t, { eq }) => eq(t.mint, mint) })) !==
      undefined,
    'the token in the index',
  );
}

/** Credits a reward, as a settlement does. */
export async function reward(
  database: Database,
  wallet: PublicKey,
  mint: string,
  asset: Asset,
  amount: bigint,
): Promise<void> {
  await creditOf(database, { wallet: wallet.toBase58(), mint, asset, amount });
}

let lastTimestamp = 0;

/** The current time, never the same twice, because a signature works once. */
export function freshTimestamp(): number {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  // Concurrent requests run ahead of the clock, within what the service accepts.
  return lastTimestamp;
}

/** Headers that authenticate the wallet with a signed timestamp. */
export function signed(
  wallet: Keypair,
  timestamp: string | number = freshTimestamp(),
): Record<string, string> {
  return { 'X-Timestamp': String(timestamp), 'X-Signature': signText(wallet, String(timestamp)) };
}

/** Headers whose signature is bound to one request. */
export function signedFor(wallet: Keypair, method: string, path: string, body = ''): Record<string, string> {
  const timestamp = freshTimestamp();
  const hash = createHash('sha256').update(body).digest('hex');
  return {
    'X-Timestamp': String(timestamp),
    'X-Signature': signText(wallet, `${timestamp}\n${method}\n${path}\n${hash}`),
    'X-Signature-Scheme': 'bound',
  };
}

export function initiate(
  { api, mint }: Pick<RewardsScene, 'api' | 'mint'>,
  wallet: Keypair,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  return api.post(
    `/rewards/${wallet.publicKey.toBase58()}/initiate`,
    { tokenAddress: mint, ...body },
    { ...signed(wallet), ...headers },
  );
}

/** The transaction in an answer. @throws if the answer has none */
export function transactionOf(answer: ApiAnswer): VersionedTransaction {
  if (answer.status !== 200) throw new Error(`no claim: ${answer.status} ${answer.text}`);
  const { tx } = answer.body['data'] as { tx: string };
  return VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
}

/** Waits until the API reports that a claim is in `state`. */
export function untilClaim(
  api: ApiClient,
  signature: string,
  state: string,
  timeoutMs?: number,
): Promise<void> {
  let last = '';
  return eventually(
    async () => {
      const answer = await api.get(`/rewards/${signature}/status`);
      last = (answer.body['data'] as { status: string } | undefined)?.status ?? answer.text;
      return last === state;
    },
    `claim ${signature} ${state}`,
    timeoutMs,
  ).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}; it is ${last}`);
  });
}

export function untilClaimsEnd({ queries }: Database, timeoutMs?: number): Promise<void> {
  return eventually(
    async () =>
      (await queries.query.claims.findFirst({ where: (c, { eq }) => eq(c.state, 'IN_PROGRESS') })) ===
      undefined,
    'the end of every claim',
    timeoutMs,
  );
}

/** Enough blocks that a blockhash has expired at finalized commitment too. */
const BLOCKS_TO_EXPIRY = 200;

/** Makes blocks until every current blockhash has expired at finalized commitment. */
export function expireBlockhashes(cluster: LocalCluster): Promise<void> {
  return makeBlocks(cluster, BLOCKS_TO_EXPIRY);
}

/** Every inconsistency in the ledger, from a check of all entries and claims. */
export const ledgerProblems = (database: Database) => checkLedger(database.queries, { whole: true });
