// Invariant 10, second half, and invariant 9: on chain the program does exactly what the SDK quotes, errors included,
// and its record says the same. Always on Surfpool, which can overwrite accounts: trades alone cannot reach most
// states.
import {
  CurveStatus,
  encodeProperties,
  fetchProperties,
  MAX_PLATFORM_FEE_BPS,
  buyExactIn,
  GRADUATION_VIRTUAL_TOKEN,
  leastSolForTokens,
  ProgramError,
  sellExactIn,
  TOKEN_SUPPLY,
  type Buy,
  type Sell,
} from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { expect } from 'chai';
import { randomStream, type Random } from '../../scripts/random.js';
import { CurveLane, type TradeOnChain, type TradeOrder, type LaneState } from '#tests/program/curve-lane.js';
import { paritySeed } from '#tests/arbitraries/parity-seed.js';
import { U64_MAX } from '#tests/constants.js';

// Random curve states and trades: ordinary ones, and those at every edge.

const DEFAULT_VIRTUAL_SOL = 30_000_000_000n;

/** Close to the total supply of lamports on mainnet. The lane's accounts can move this amount several times. */
const MOST_LAMPORTS_MOVED = 2n ** 57n;
const LAMPORTS_HELD = 2n ** 61n;
/** More than the rent of a curve's account. */
const SPARE_LAMPORTS = 10_000_000n;

/** The SDK's result of a trade: the error code of the refusal, or the amounts. */
type Quoted =
  | { readonly refusal: number }
  | { readonly refusal: undefined; readonly buy: Buy }
  | { readonly refusal: undefined; readonly sell: Sell };

type Reserves = Pick<LaneState, 'virtualSol' | 'virtualToken'>;

/** A state in which every account has enough tokens and lamports, so that only the program can refuse a trade. */
function randomState(random: Random): LaneState {
  const virtualSol = random.chance(30) ? DEFAULT_VIRTUAL_SOL : random.magnitude();
  const virtualToken = GRADUATION_VIRTUAL_TOKEN + tokensLeft(random);
  return {
    virtualSol,
    virtualToken,
    curveLamports: SPARE_LAMPORTS + (virtualSol < LAMPORTS_HELD ? virtualSol : LAMPORTS_HELD),
    traderLamports: LAMPORTS_HELD,
    vaultTokens: virtualToken - GRADUATION_VIRTUAL_TOKEN,
    // As many as the virtual reserve can take.
    traderTokens: U64_MAX - virtualToken,
  };
}

/** A trade that a lane in that state can make. */
function randomOrder(random: Random, reserves: Reserves, feeBps: number): TradeOrder {
  for (;;) {
    const isBuy = random.chance(55);
    const amount = isBuy ? randomSpend(random, reserves, feeBps) : randomSale(random, reserves);
    const order = { isBuy, amount, minimum: 0n };
    const quoted = quote(reserves, feeBps, order);
    if (lamportsMoved(quoted) > MOST_LAMPORTS_MOVED) continue;
    return { ...order, minimum: randomMinimum(random, order, quoted) };
  }
}

/** The SDK's result of a trade on a curve that still trades. */
function quote({ virtualSol, virtualToken }: Reserves, feeBps: number, order: TradeOrder): Quoted {
  const { isBuy, amount, minimum } = order;
  const bps = BigInt(feeBps);
  try {
    if (isBuy) return { refusal: undefined, buy: buyExactIn(virtualSol, virtualToken, bps, amount, minimum) };
    return { refusal: undefined, sell: sellExactIn(virtualSol, virtualToken, bps, amount, minimum) };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { refusal: error.code };
  }
}

/** Number of tokens that the curve still sells. */
function tokensLeft(random: Random): bigint {
  const kind = random.below(10);
  if (kind < 5) return random.shareOf(TOKEN_SUPPLY);
  if (kind < 8) return 1n + (random.magnitude() >> 30n);
  if (kind < 9) return 1n + (random.magnitude() >> 2n);
  return U64_MAX - GRADUATION_VIRTUAL_TOKEN - BigInt(random.below(100));
}

function randomSpend(random: Random, { virtualSol, virtualToken }: Reserves, feeBps: number): bigint {
  if (random.chance(50)) return random.magnitude();
  const tokens = random.chance(60)
    ? virtualToken - GRADUATION_VIRTUAL_TOKEN
    : random.shareOf(virtualToken - GRADUATION_VIRTUAL_TOKEN);
  try {
    return near(random, leastSolForTokens(virtualSol, virtualToken, BigInt(feeBps), tokens));
  } catch {
    // Exceeds u64.
    return U64_MAX;
  }
}

function randomSale(random: Random, { virtualToken }: Reserves): bigint {
  const most = U64_MAX - virtualToken;
  if (random.chance(70) || most === 0n) return random.magnitude();
  return random.chance(50) ? random.shareOf(most) : near(random, most);
}

function randomMinimum(random: Random, { amount }: TradeOrder, quoted: Quoted): bigint {
  if (random.chance(30)) return 0n;
  if (random.chance(10)) return random.magnitude();
  if ('buy' in quoted) {
    const { tokenOut, net, fee } = quoted.buy;
    return near(random, (tokenOut * amount) / (net + fee));
  }
  return 'sell' in quoted ? near(random, quoted.sell.solOut) : BigInt(random.below(2));
}

function lamportsMoved(quoted: Quoted): bigint {
  if ('buy' in quoted) return quoted.buy.net + quoted.buy.fee;
  return 'sell' in quoted ? quoted.sell.gross : 0n;
}

/** Differs from `value` by at most one, and fits an instruction's amount. */
function near(random: Random, value: bigint): bigint {
  const moved = value - 1n + BigInt(random.below(3));
  return moved < 1n ? 1n : moved > U64_MAX ? U64_MAX : moved;
}

/** The fee is global for all curves, so each fee has its own round. */
const FEES_BPS = [0, 1, 25, 100, 333, 999, MAX_PLATFORM_FEE_BPS];
const LANES = 8;
const STATES_PER_ROUND = 12;
const TRADES_PER_STATE = 3;
const LEAST_TRADES = 2_000;
const LEAST_OF_EACH_KIND = 5;
const TIMEOUT_MS = 300_000;
const ONE_SOL = 1_000_000_000n;

describe('parity on chain (invariants 9 and 10: record = change = quote)', () => {
  const seed = Number(paritySeed() & 0xffff_ffffn);
  let cluster: LocalCluster;
  let lanes: CurveLane[];
  const kinds = new Map<string, number>();

  // One for each round: Surfpool takes the longer for a transaction, the more it has seen.
  beforeEach('start a Surfpool with tokens to trade', async function () {
    this.timeout(TIMEOUT_MS);
    cluster = await startLocalCluster();
    lanes = await Promise.all(Array.from({ length: LANES }, () => CurveLane.open(cluster)));
  });
  afterEach('stop it', () => cluster.stop());

  for (const [round, feeBps] of FEES_BPS.entries()) {
    it(`Given extreme states and a fee of ${feeBps} bps, seed ${seed}, when trades are sent, then each result equals its quote`, async function () {
      this.timeout(TIMEOUT_MS);
      await setFee(feeBps);
      await Promise.all(lanes.map((lane, index) => tradeOn(lane, feeBps, round * LANES + index)));
    });
  }

  it(`Given all rounds, when trades are counted, then there are at least ${LEAST_TRADES}, with every outcome`, () => {
    const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
    expect(total).to.be.at.least(LEAST_TRADES);
    const expected = [
      'buy',
      'graduation',
      'clipped',
      'buy 6001',
      'buy 6003',
      'buy 6005',
      'sell',
      'sell 6001',
      'sell 6003',
      'sell 6005',
    ];
    expect([...kinds.keys()]).to.have.members(expected);
    for (const [kind, count] of kinds) expect(count, kind).to.be.at.least(LEAST_OF_EACH_KIND);
  });

  async function setFee(platformFeeBps: number): Promise<void> {
    const properties = await fetchProperties(cluster.connection);
    const data = encodeProperties({ ...properties!, platformFeeBps });
    await cluster.setAccount(cluster.deployment.properties.address, { data });
    // Reset: fees of trades this large would soon overflow the fee receiver's balance.
    await cluster.setAccount(cluster.deployment.feeReceiver, { lamports: ONE_SOL });
  }

  async function tradeOn(lane: CurveLane, feeBps: number, stream: number): Promise<void> {
    const random = randomStream(seed, stream);
    for (let states = 0; states < STATES_PER_ROUND; states += 1) {
      const state = randomState(random);
      await lane.put(state);
      let curve: Reserves & { initialized: number } = { ...state, initialized: CurveStatus.Trading };
      for (let trades = 0; trades < TRADES_PER_STATE; trades += 1) {
        const order = randomOrder(random, curve, feeBps);
        const isOpen = curve.initialized === CurveStatus.Trading;
        const quoted = isOpen ? quote(curve, feeBps, order) : { refusal: 6001 };
        const done = await lane.trade(order);
        const context = JSON.stringify({ feeBps, ...curve, ...order }, (_, value: unknown) =>
          typeof value === 'bigint' ? value.toString() : value,
        );
        expect(summaryOf(done), context).to.deep.equal(expectedSummary(curve, order, quoted));
        count(order, quoted);
        curve = done.curve;
      }
    }
  }

  function count(order: TradeOrder, quoted: Quoted): void {
    const kind = kindOf(order, quoted);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
});

function kindOf({ isBuy }: TradeOrder, quoted: Quoted): string {
  if (quoted.refusal !== undefined) return `${isBuy ? 'buy' : 'sell'} ${quoted.refusal}`;
  if ('sell' in quoted) return 'sell';
  if (quoted.buy.clipped) return 'clipped';
  return quoted.buy.graduates ? 'graduation' : 'buy';
}

/** The compared values: everything except fields that are fixed when the curve is created. */
function summaryOf({ curve, records, ...moved }: TradeOnChain) {
  const { initialized, virtualSol, virtualToken } = curve;
  return {
    ...moved,
    curve: { initialized, virtualSol, virtualToken },
    records: records.map((record) => ({
      isBuy: record.isBuy,
      solAmount: record.solAmount,
      tokenAmount: record.tokenAmount,
      fee: record.fee,
      virtualSol: record.virtualSol,
      virtualToken: record.virtualToken,
      finalized: record.finalized,
    })),
  };
}

type Summary = ReturnType<typeof summaryOf>;

/** The same summary, computed from the quote alone. */
function expectedSummary(
  before: Reserves & { initialized: number },
  { isBuy, amount }: TradeOrder,
  quoted: Quoted,
): Summary {
  if (quoted.refusal !== undefined) {
    const { initialized, virtualSol, virtualToken } = before;
    const curve = { initialized, virtualSol, virtualToken };
    return { ...NOTHING_MOVED, refusal: quoted.refusal, curve, records: [] };
  }
  if ('buy' in quoted) {
    const { tokenOut, net, fee, virtualSol, virtualToken, graduates } = quoted.buy;
    const solAmount = net + fee;
    return {
      refusal: undefined,
      curveLamports: net,
      feeReceiverLamports: fee,
      traderLamports: -solAmount,
      traderTokens: tokenOut,
      vaultTokens: -tokenOut,
      curve: {
        initialized: graduates ? CurveStatus.Finalized : CurveStatus.Trading,
        virtualSol,
        virtualToken,
      },
      records: [
        { isBuy, solAmount, tokenAmount: tokenOut, fee, virtualSol, virtualToken, finalized: graduates },
      ],
    };
  }
  const { gross, fee, solOut, virtualSol, virtualToken } = quoted.sell;
  return {
    refusal: undefined,
    curveLamports: -gross,
    feeReceiverLamports: fee,
    traderLamports: solOut,
    traderTokens: -amount,
    vaultTokens: amount,
    curve: { initialized: CurveStatus.Trading, virtualSol, virtualToken },
    records: [
      { isBuy, solAmount: solOut, tokenAmount: amount, fee, virtualSol, virtualToken, finalized: false },
    ],
  };
}

const NOTHING_MOVED = {
  curveLamports: 0n,
  feeReceiverLamports: 0n,
  traderLamports: 0n,
  traderTokens: 0n,
  vaultTokens: 0n,
};
