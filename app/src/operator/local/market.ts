// Tokens on a local cluster, and simulated wallets that trade them.
import {
  associatedTokenAddress,
  buy,
  createToken,
  CurveStatus,
  fetchCurveState,
  fetchRentExemption,
  MINT_ACCOUNT_SIZE,
  parseSol,
  quoteBuy,
  quoteSell,
  sell,
  sweepFees,
  TransactionError,
  keypairWallet,
} from '@curvekit/sdk';
import { uploadPicture } from '@curvekit/sdk/market';
import type { LocalCluster } from '@curvekit/testing';
import { unpackAccount } from '@solana/spl-token';
import { Keypair, SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { startedOnce, type Job } from '../../db/jobs/leader-job.js';
import type { Logger } from '../../base/logging/logging.js';
import { laterIdentity, pictureOf, type Identity } from './identities.js';

export interface LocalToken extends Identity {
  readonly mint: PublicKey;
}

export interface LaunchableToken extends LocalToken {
  readonly mintKey: Keypair;
}

/** How many of them every wallet buys at the opening, so that the partner has rewards of them. */
const OPENED = 3;

/** Shares of the community's part of a migrated curve, in basis points. The rest is the creator's. */
const TERMS = {
  afterMigrationFee: 100,
  afterMigrationBurnBp: 2_000,
  afterMigrationHoldersBp: 4_000,
  afterMigrationLpBp: 1_000,
};

const SLIPPAGE_BPS = 300;
interface BuySizes {
  /** Lamports. */
  readonly smallest: bigint;
  readonly largest: bigint;
}
const BUYS: BuySizes = { smallest: parseSol('0.05'), largest: parseSol('0.6') };
/** So that the partner's first rewards of each token pay the rent of a new wallet, which a claim leaves in it. */
const OPENING_BUYS: BuySizes = { smallest: parseSol('0.5'), largest: parseSol('1') };
/** The creator's own, in the transaction of a later launch. */
const FIRST_BUYS: BuySizes = { smallest: parseSol('0.1'), largest: parseSol('0.5') };
const TRADE_INTERVAL_MS = 700;
const FIRST_LAUNCH_MS = 20_000;
const LAUNCH_INTERVAL_MS = 90_000;
const LAUNCHES_AT_A_PACE = 20;
const LONGEST_LAUNCH_INTERVAL_MS = 1_800_000;
/**
 * A local cluster keeps every transaction in memory, and takes longer for each the more there are. So the market halves its
 * speed after this many trades.
 */
const TRADES_AT_A_PACE = 100;
const LONGEST_INTERVAL_MS = 60_000;
/** More than the slots between confirmed and finalized. Each transaction takes one slot. */
const SLOTS_TO_FINALITY = 34;

export function launchable(identity: Identity): LaunchableToken {
  const mintKey = Keypair.generate();
  return { ...identity, mint: mintKey.publicKey, mintKey };
}

/** Launches the tokens. Their pictures and texts are stored in the launchpad at the URL, as its own page does. */
export async function launchTokens(
  cluster: LocalCluster,
  creator: Keypair,
  tokens: readonly LaunchableToken[],
  launchpadUrl: string,
): Promise<void> {
  // The service takes four uploads of an address at a time, and decodes two.
  const limit = pLimit(2);
  await Promise.all(tokens.map((token) => limit(() => launchOne(cluster, creator, token, launchpadUrl))));
}

/** @param firstBuy lamports that the creator spends in the same transaction */
async function launchOne(
  cluster: LocalCluster,
  creator: Keypair,
  token: LaunchableToken,
  launchpadUrl: string,
  firstBuy?: bigint,
): Promise<void> {
  const { name, symbol, description, mintKey } = token;
  const { deployment } = cluster;
  const upload = { name, symbol, description, image: await pictureOf(token) };
  const { uri } = await uploadPicture(keypairWallet(creator), upload, { baseUrl: launchpadUrl });
  const mintRentLamports = await fetchRentExemption(cluster.connection, MINT_ACCOUNT_SIZE);
  const instructions = createToken({
    ...TERMS,
    ...{ name, symbol, uri, deployment, mintRentLamports },
    mint: mintKey.publicKey,
    payer: creator.publicKey,
    ...(firstBuy !== undefined && { firstBuy: { solToSpend: firstBuy, minTokenToReceive: 1n } }),
  });
  await cluster.send(instructions, [creator, mintKey]);
}

/** Every wallet buys the first tokens, and the fees go to the treasury. Then slots pass until all of it is finalized. */
export async function openMarket(
  cluster: LocalCluster,
  tokens: readonly LocalToken[],
  traders: readonly Keypair[],
): Promise<void> {
  const open = async (token: LocalToken) => {
    // One after the other: a buy of this size moves the price past the limit of the next.
    for (const trader of traders) await tradeOnce(cluster, token, trader, OPENING_BUYS);
  };
  await Promise.all(tokens.slice(0, OPENED).map(open));
  await cluster.send(sweepFees({ deployment: cluster.deployment }), [cluster.admin]);
  if (cluster.kind === 'surfpool') await passSlots(cluster);
}

/** Sends payments of the payer to itself, which cost the cluster and the indexer less than trades. */
async function passSlots(cluster: LocalCluster): Promise<void> {
  const { payer } = cluster;
  const { publicKey } = payer;
  const payments = Array.from({ length: SLOTS_TO_FINALITY }, (_, index) =>
    SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: index }),
  );
  await Promise.all(payments.map((payment) => cluster.send([payment], [payer])));
}

/** One random trade of a wallet. Does nothing when the curve has graduated or the price has moved past the limit. */
async function tradeOnce(
  cluster: LocalCluster,
  { mint }: LocalToken,
  trader: Keypair,
  buys = BUYS,
): Promise<void> {
  const { connection, deployment } = cluster;
  const curve = await fetchCurveState(connection, mint, { deployment });
  if (curve?.initialized !== CurveStatus.Trading) return;
  const common = { mint, payer: trader.publicKey, deployment };
  const send = (instructions: TransactionInstruction[]) =>
    cluster.send(instructions, [trader]).catch((error: unknown) => {
      if (!(error instanceof TransactionError)) throw error;
    });
  const held = await tokensHeld(cluster, trader.publicKey, mint);
  if (held > 0n && Math.random() < 0.4) {
    const quote = quoteSell(curve, share(held, held / 10n), SLIPPAGE_BPS);
    await send(sell({ ...common, ...quote }));
  } else {
    const quote = quoteBuy(curve, share(buys.largest, buys.smallest), SLIPPAGE_BPS);
    await send(buy({ ...common, ...quote }));
  }
}

/** The pause before the next trade, given the number of trades so far: about 560 trades in an hour, 2,000 in a day. */
export function pauseAfter(trades: number): number {
  return Math.min(TRADE_INTERVAL_MS * 2 ** Math.floor(trades / TRADES_AT_A_PACE), LONGEST_INTERVAL_MS);
}

/** The pause before the next launch: 30 launches in the first hour, then less often. */
function pauseBeforeLaunch(launches: number): number {
  return Math.min(
    LAUNCH_INTERVAL_MS * 2 ** Math.floor(launches / LAUNCHES_AT_A_PACE),
    LONGEST_LAUNCH_INTERVAL_MS,
  );
}

/** A job that trades until it is stopped. Now and then a wallet launches a token, which is traded too. */
export function createMarket(
  cluster: LocalCluster,
  opened: readonly LocalToken[],
  traders: readonly Keypair[],
  launchpadUrl: string,
  logger: Logger,
): Job {
  const tokens = [...opened];
  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);
  const repeat = async (
    what: string,
    act: (index: number) => Promise<void>,
    pauseOf: (count: number) => number,
    signal: AbortSignal,
  ) => {
    for (let count = 0; !signal.aborted; count += 1) {
      try {
        await act(count);
      } catch (error) {
        logger.warn({ err: error }, `a simulated ${what} failed; the next one is made as usual`);
      }
      await pause(pauseOf(count), signal);
    }
  };
  const launch = async (index: number) => {
    const token = launchable(laterIdentity(index));
    await launchOne(
      cluster,
      pick(traders),
      token,
      launchpadUrl,
      share(FIRST_BUYS.largest, FIRST_BUYS.smallest),
    );
    tokens.push(token);
  };
  return startedOnce('market', (signal) =>
    Promise.all([
      repeat('trade', () => tradeOnce(cluster, pick(tokens), pick(traders)), pauseAfter, signal),
      pause(FIRST_LAUNCH_MS, signal).then(() => repeat('launch', launch, pauseBeforeLaunch, signal)),
    ]),
  );
}

async function tokensHeld({ connection }: LocalCluster, owner: PublicKey, mint: PublicKey): Promise<bigint> {
  const { address } = associatedTokenAddress(owner, mint);
  const account = await connection.getAccountInfo(address);
  return account === null ? 0n : unpackAccount(address, account).amount;
}

function share(most: bigint, least: bigint): bigint {
  return least + ((most - least) * BigInt(Math.floor(Math.random() * 1_000_001))) / 1_000_000n;
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
