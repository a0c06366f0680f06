// The time of `npm start` until it is ready, and of a trade until the API shows its reward.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import {
  buy,
  createToken,
  fetchCurveState,
  fetchMarket,
  DEFAULT_DEPLOYMENT as deployment,
  prepareTransaction,
  quoteBuy,
  sendAndConfirm,
  TransactionError,
  fetchRentExemption,
  MINT_ACCOUNT_SIZE,
} from '@curvekit/sdk';
import { PartnerClient } from '@curvekit/sdk/partner';
import { isRefusal, keypairWallet, RewardsClient } from '@curvekit/sdk/rewards';
import type { Stage } from '../driver/stage.js';
import { spreadOf, type Spread } from '../driver/statistics.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';

const MOST_SECONDS = 5;
const MOST_MS_TO_SHOW = 2_000;
const TRADES = 25;
const TRADE_LAMPORTS = 50_000_000n;
const WALLET_LAMPORTS = 10_000_000_000;
const WHALE_LAMPORTS = 100_000_000_000;
/** More than the cost of a whole curve. */
const WHOLE_CURVE_LAMPORTS = 90_000_000_000n;
const SLIPPAGE_BPS = 100;
const MOST_MS_TO_POOL = 800;
const LOOK_EVERY_MS = 10;
const GIVE_UP_MS = 30_000;

interface Result {
  /** Seconds from the command until it reports that it is ready. */
  readonly seconds: number;
  /** Milliseconds from sending a trade until its reward is in an answer of the API. */
  readonly shownAfterMs: Spread;
  readonly trades: number;
  /** Milliseconds from sending the last buy of a curve to the confirmation of the first buy from its pool. */
  readonly poolAfterMs: number;
}

/** The output of `npm start -- --json`. */
interface Launchpad {
  readonly url: string;
  readonly rpcUrl: string;
  readonly partnerKey: string;
  readonly payoutWalletFile: string;
}

interface Context {
  readonly launchpad: Launchpad;
  readonly seconds: number;
}

scenario('start', {
  about: `Runs \`npm start\` until it is ready, registers a user with its partner, makes ${TRADES} trades as this user, and polls the API for
the partner's rewards until each trade is shown. The time of a trade starts when it is sent, before it is confirmed. Then it
buys all tokens of a curve, and buys from its pool as soon as the pool accepts trades.`,
  fails: `it is not ready within ${MOST_SECONDS} s, a trade is shown later than ${MOST_MS_TO_SHOW} ms, or a\npool trades later than ${MOST_MS_TO_POOL} ms after the last buy of its curve`,
  setup,
  load: async ({ launchpad, seconds }): Promise<Result> => {
    say(`ready after ${seconds.toFixed(1)} s; trading`);
    const shownAfterMs = spreadOf(await trade(launchpad));
    say('buying out a curve');
    return { seconds, shownAfterMs, trades: TRADES, poolAfterMs: await graduate(launchpad) };
  },
  figures,
  problems: problemsOf,
});

async function setup(stage: Stage): Promise<Context> {
  const startedAt = performance.now();
  const running = spawn('npm', ['start', '--silent', '--', '--json'], {
    env: { ...process.env, PORT: '0', RATE_LIMIT_REQUESTS: '1000000' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its own process group, so that npm's child processes can be ended too.
    detached: true,
  });
  const kill = () => {
    if (running.pid !== undefined && running.exitCode === null) process.kill(-running.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  stage.later(() => {
    kill();
    process.off('exit', kill);
  });
  const launchpad = await documentOf(running);
  return { launchpad, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Makes trades one after the other. Returns the milliseconds until each was shown. */
async function trade({ url, rpcUrl, partnerKey, payoutWalletFile }: Launchpad): Promise<number[]> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const user = await funded(connection, WALLET_LAMPORTS);
  await new PartnerClient({ baseUrl: url, apiKey: partnerKey }).registerUser(keypairWallet(user));
  const mint = await launch(connection, user);

  const payout = Keypair.fromSecretKey(
    Uint8Array.from(JSON.parse(await readFile(payoutWalletFile, 'utf8')) as number[]),
  );
  const wallet = keypairWallet(payout);
  const client = new RewardsClient({ baseUrl: url });
  const earned = async () => (await client.rewardsOf(wallet, mint)).allTimeRewards.sol;
  const times: number[] = [];
  while (times.length < TRADES) {
    const before = times.length === 0 ? 0n : await earned();
    const curve = await fetchCurveState(connection, mint, { deployment });
    if (curve === null) throw new Error('the token is gone');
    const instructions = buy({
      ...{ mint, payer: user.publicKey, deployment },
      ...quoteBuy(curve, TRADE_LAMPORTS),
    });
    const { transaction } = await prepareTransaction(connection, { payer: user.publicKey, instructions });
    transaction.sign([user]);
    const sentAt = performance.now();
    await connection.sendRawTransaction(transaction.serialize());
    await until(async () => (await earned()) > before, 'a trade does not show');
    times.push(performance.now() - sentAt);
  }
  return times;
}

/** Buys all tokens of a curve, and then from its pool as soon as it is open. */
async function graduate({ rpcUrl }: Launchpad): Promise<number> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const user = await funded(connection, WHALE_LAMPORTS);
  const mint = await launch(connection, user);
  const buyFor = async (lamports: bigint) => {
    const market = await fetchMarket(connection, mint, { deployment });
    if (market === null) throw new Error('the token is gone');
    if (market.venue === 'graduating') return false;
    const instructions = buy({
      ...{ market, payer: user.publicKey, deployment },
      ...quoteBuy(market, lamports, SLIPPAGE_BPS),
    });
    const prepared = await prepareTransaction(connection, { payer: user.publicKey, instructions });
    prepared.transaction.sign([user]);
    await sendAndConfirm(connection, prepared);
    return market.venue === 'pool';
  };
  const sentAt = performance.now();
  await buyFor(WHOLE_CURVE_LAMPORTS);
  await until(
    // The pool refuses trades in its first second.
    () => buyFor(TRADE_LAMPORTS).catch((error: unknown) => refusedBy(error)),
    'nothing can be bought from the pool',
  );
  return performance.now() - sentAt;
}

/** @throws any error that is not a refusal by the cluster */
function refusedBy(error: unknown): false {
  if (error instanceof TransactionError) return false;
  throw error;
}

async function funded(connection: Connection, lamports: number): Promise<Keypair> {
  const wallet = Keypair.generate();
  await connection.requestAirdrop(wallet.publicKey, lamports);
  await until(async () => (await connection.getBalance(wallet.publicKey)) > 0, 'the wallet has no SOL');
  return wallet;
}

/** Launches a token for this measurement. Resolves when it is confirmed. */
async function launch(connection: Connection, creator: Keypair): Promise<PublicKey> {
  const mint = Keypair.generate();
  const instructions = createToken({
    mint: mint.publicKey,
    payer: creator.publicKey,
    deployment,
    mintRentLamports: await fetchRentExemption(connection, MINT_ACCOUNT_SIZE),
    name: 'Stopwatch',
    symbol: 'TICK',
    uri: 'https://curvekit.example/tick.json',
    afterMigrationFee: 0,
    afterMigrationBurnBp: 0,
    afterMigrationHoldersBp: 0,
    afterMigrationLpBp: 0,
  });
  const prepared = await prepareTransaction(connection, { payer: creator.publicKey, instructions });
  prepared.transaction.sign([creator, mint]);
  await sendAndConfirm(connection, prepared);
  return mint.publicKey;
}

async function until(condition: () => Promise<boolean>, otherwise: string): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  // The service does not know the token until it is indexed.
  const holds = () =>
    condition().catch((error: unknown) => {
      if (isRefusal(error, 'TOKEN_NOT_FOUND')) return false;
      throw error;
    });
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`${otherwise} after ${GIVE_UP_MS / 1_000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** The output of `npm start` when it is ready. @throws when the process ends instead */
function documentOf({ stdout }: ChildProcess): Promise<Launchpad> {
  return new Promise((resolve, reject) => {
    let text = '';
    stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      try {
        resolve(JSON.parse(text) as Launchpad);
      } catch {
        // The document is not complete yet.
      }
    });
    stdout!.once('end', () => reject(new Error(`npm start ended before it was ready: ${text}`)));
  });
}

function problemsOf({ seconds, shownAfterMs, poolAfterMs }: Result): string[] {
  return [
    seconds > MOST_SECONDS && `npm start is ready after ${seconds.toFixed(1)} s, over ${MOST_SECONDS} s`,
    shownAfterMs.max > MOST_MS_TO_SHOW &&
      `a trade shows after ${shownAfterMs.max.toFixed(0)} ms, over ${MOST_MS_TO_SHOW} ms`,
    poolAfterMs > MOST_MS_TO_POOL &&
      `a pool trades after ${poolAfterMs.toFixed(0)} ms, over ${MOST_MS_TO_POOL} ms`,
  ].filter((problem) => problem !== false);
}

function figures({ seconds, shownAfterMs, poolAfterMs, trades }: Result): Figures {
  const milliseconds = (...values: readonly number[]) => values.map((value) => `${value.toFixed(0)} ms`);
  return {
    columns: numberColumns('', ['median'], ['most'], ['limit']),
    rows: [
      ['npm start until ready', '', `${seconds.toFixed(1)} s`, `${MOST_SECONDS} s`],
      [
        `trade until its reward shows (${trades} trades)`,
        ...milliseconds(shownAfterMs.median, shownAfterMs.max, MOST_MS_TO_SHOW),
      ],
      ['last buy of a curve until its pool trades', '', ...milliseconds(poolAfterMs, MOST_MS_TO_POOL)],
    ].map((cells) => ({ cells })),
  };
}
