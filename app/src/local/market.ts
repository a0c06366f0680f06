// Tokens on a local cluster, and simulated wallets that trade them.
import {
  associatedTokenAddress,
  buy,
  createToken,
  CurveStatus,
  fetchCurveState,
  parseSol,
  quoteBuy,
  quoteSell,
  sell,
  TransactionError,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { unpackAccount } from '@solana/spl-token';
import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../jobs/job.js';
import type { Logger } from '../logging/logging.js';

/** A token launched on the local cluster. */
export interface LocalToken {
  readonly mint: PublicKey;
  readonly name: string;
  readonly symbol: string;
}

const IDENTITIES = [
  ['Morning Coffee', 'COFFEE'],
  ['Paper Boat', 'BOAT'],
  ['Quiet Night', 'QUIET'],
] as const;

/** Shares of the community's part of a migrated curve, in basis points. The rest is the creator's. */
const TERMS = {
  afterMigrationFee: 100,
  afterMigrationBurnBp: 2_000,
  afterMigrationHoldersBp: 4_000,
  afterMigrationLpBp: 1_000,
};

const SLIPPAGE_BPS = 300;
const SMALLEST_BUY = parseSol('0.05');
const LARGEST_BUY = parseSol('0.6');
const TRADE_INTERVAL_MS = 700;
/**
 * A local cluster keeps every transaction in memory, and takes longer for each the more there are. So the market halves its
 * speed after this many trades.
 */
const TRADES_AT_A_PACE = 100;
const LONGEST_INTERVAL_MS = 60_000;
/** More than the slots between confirmed and finalized: each trade takes one slot. */
const OPENING_TRADES = 42;

/** Launches a few tokens, each with a first buy by its creator. */
export async function launchTokens(cluster: LocalCluster, creator: Keypair): Promise<LocalToken[]> {
  const tokens: LocalToken[] = [];
  for (const [name, symbol] of IDENTITIES) {
    const mint = Keypair.generate();
    const instructions = createToken({
      ...TERMS,
      name,
      symbol,
      uri: `https://curvekit.example/${symbol.toLowerCase()}.json`,
      mint: mint.publicKey,
      payer: creator.publicKey,
      deployment: cluster.deployment,
    });
    await cluster.send(instructions, [creator, mint]);
    tokens.push({ mint: mint.publicKey, name, symbol });
  }
  return tokens;
}

/** Trades in rounds until the first trades are finalized. */
export async function openMarket(
  cluster: LocalCluster,
  tokens: readonly LocalToken[],
  traders: readonly Keypair[],
): Promise<void> {
  for (let round = 0; round * traders.length < OPENING_TRADES; round += 1) {
    await Promise.all(traders.map((trader) => tradeOnce(cluster, pick(tokens), trader)));
  }
}

/** One random trade of a wallet. Does nothing when the curve has graduated or the price has moved past the limit. */
async function tradeOnce(cluster: LocalCluster, { mint }: LocalToken, trader: Keypair): Promise<void> {
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
    const quote = quoteBuy(curve, share(LARGEST_BUY, SMALLEST_BUY), SLIPPAGE_BPS);
    await send(buy({ ...common, ...quote }));
  }
}

/** The pause before the next trade, given the number of trades so far: about 560 trades in an hour, 2,000 in a day. */
export function pauseAfter(trades: number): number {
  return Math.min(TRADE_INTERVAL_MS * 2 ** Math.floor(trades / TRADES_AT_A_PACE), LONGEST_INTERVAL_MS);
}

/** A job that trades until it is stopped. */
export function createMarket(
  cluster: LocalCluster,
  tokens: readonly LocalToken[],
  traders: readonly Keypair[],
  logger: Logger,
): Job {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  async function run(): Promise<void> {
    for (let trades = 0; !stopping.signal.aborted; trades += 1) {
      try {
        await tradeOnce(cluster, pick(tokens), pick(traders));
      } catch (error) {
        logger.warn({ err: error }, 'a simulated trade failed');
      }
      await sleep(pauseAfter(trades), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  return {
    name: 'market',
    start: () => {
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function tokensHeld({ connection }: LocalCluster, owner: PublicKey, mint: PublicKey): Promise<bigint> {
  const { address } = associatedTokenAddress(owner, mint);
  const account = await connection.getAccountInfo(address);
  return account === null ? 0n : unpackAccount(address, account).amount;
}

/** A random amount from `least` to `most`. */
function share(most: bigint, least: bigint): bigint {
  return least + ((most - least) * BigInt(Math.floor(Math.random() * 1_000_001))) / 1_000_000n;
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
