// One of many launches: random trades of three wallets with a slippage limit, sometimes graduation and migration.
import { CurveStatus, graduatesByItself, parseSol, parseTokens, quoteBuy, quoteSell } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { Launch, type LaunchState, type Person } from './launch.js';
import { randomStream, type Random } from '../scripts/random.js';
import { refusedStep, stepOrRefusal, type Step } from './step.js';

/** One token and the steps of its launch. */
export interface CrowdLaunch {
  readonly launch: Launch;
  readonly steps: readonly Step[];
}

const FEWEST_TRADES = 8;
const MOST_TRADES = 24;
const TRADERS = 3;
/** Three wallets with this balance can always buy the rest of a curve. */
const TRADER_LAMPORTS = parseSol('45');
/** Kept in every wallet for transaction fees and the rent of a token account. */
const KEPT_LAMPORTS = parseSol('0.1');
const SMALLEST_BUY = 1_000n;
const SMALLEST_HOLDING_TO_SELL = parseTokens('1');
const SLIPPAGE_BPS = 50;

/** Runs one launch. `seed` and `index` determine the trades. */
export async function runLaunch(cluster: LocalCluster, seed: number, index: number): Promise<CrowdLaunch> {
  const number = index + 1;
  const uri = `https://curvekit.example/${number}.json`;
  const launch = new Launch(cluster, { name: `Crowd ${number}`, symbol: `C${number}`, uri });
  const [wallet, ...wallets] = await cluster.fundedWallets(1 + TRADERS, TRADER_LAMPORTS);
  const creator = { name: 'creator', wallet: wallet! };
  const traders = wallets.map((own, trader) => ({ name: `trader ${trader + 1}`, wallet: own }));

  const steps = [await launch.create(creator)];
  for await (const step of trade(launch, traders, randomStream(seed, index))) steps.push(step);
  return { launch, steps };
}

async function* trade(launch: Launch, traders: readonly Person[], random: Random): AsyncGenerator<Step> {
  let before = await launch.state();
  for (let left = FEWEST_TRADES + random.below(MOST_TRADES - FEWEST_TRADES + 1); left > 0; left -= 1) {
    const state = await launch.state();
    if (state.initialized !== CurveStatus.Trading) break;
    // Sometimes a trader uses a quote from before the last trade.
    const quotedOn = random.chance(20) ? before : state;
    yield await randomTrade(launch, traders[random.below(traders.length)]!, quotedOn, random);
    before = state;
  }
  if (random.chance(60)) yield* rush(launch, traders);
  if ((await launch.state()).initialized === CurveStatus.Trading) return;

  const late = { solToSpend: SMALLEST_BUY, minTokenToReceive: 1n };
  yield await refusedStep(launch.cluster, 'late buy', 'TradingClosed', launch.buy(traders[0]!, late));
  if (!random.chance(50)) return;
  const operator = { name: 'operator', wallet: launch.cluster.payer };
  yield await (graduatesByItself(launch.cluster.deployment)
    ? launch.graduate(operator)
    : launch.migrate(operator));
}

/** The traders buy with all their SOL until the curve graduates. */
async function* rush(launch: Launch, traders: readonly Person[]): AsyncGenerator<Step> {
  for (const trader of traders) {
    const state = await launch.state();
    if (state.initialized !== CurveStatus.Trading) return;
    yield await launch.buy(trader, quoteBuy(state, await spendable(launch, trader), SLIPPAGE_BPS));
  }
}

async function randomTrade(
  launch: Launch,
  trader: Person,
  quotedOn: LaunchState,
  random: Random,
): Promise<Step> {
  const held = await launch.balanceOf(trader);
  const sells = random.chance(45) && held >= SMALLEST_HOLDING_TO_SELL;
  const attempt = sells
    ? launch.sell(trader, quoteSell(quotedOn, (held * BigInt(1 + random.below(4))) / 4n, SLIPPAGE_BPS))
    : launch.buy(trader, quoteBuy(quotedOn, await randomSpend(launch, trader, random), SLIPPAGE_BPS));
  const title = `${trader.name} ${sells ? 'sells' : 'buys'}`;
  return stepOrRefusal(launch.cluster, title, 'SlippageError', attempt);
}

/** A random part of the trader's lamports, of any magnitude. */
async function randomSpend(launch: Launch, trader: Person, random: Random): Promise<bigint> {
  return atLeastSmallest(random.shareOf((await spendable(launch, trader)) >> BigInt(random.below(12))));
}

/** Lamports that a trader can spend. */
async function spendable({ cluster }: Launch, { wallet }: Person): Promise<bigint> {
  return atLeastSmallest(BigInt(await cluster.connection.getBalance(wallet.publicKey)) - KEPT_LAMPORTS);
}

/** At least the smallest buy. The lamports kept in the wallet pay for many of these. */
function atLeastSmallest(lamports: bigint): bigint {
  return lamports < SMALLEST_BUY ? SMALLEST_BUY : lamports;
}
