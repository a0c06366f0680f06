// Invariant 10, second half, and invariant 9: on chain the program does exactly what the SDK quotes, errors included,
// and its record says the same. Always on Surfpool, which can overwrite accounts: trades alone cannot reach most
// states.
import { CurveStatus, encodeProperties, fetchProperties, MAX_PLATFORM_FEE_BPS } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { expect } from 'chai';
import { randomStream } from '../../scripts/random.js';
import { CurveLane, type TradeOnChain, type TradeOrder } from '#tests/program/curve-lane.js';
import {
  quote,
  randomOrder,
  randomState,
  type Quoted,
  type Reserves,
} from '#tests/arbitraries/extreme-trades.js';
import { paritySeed } from '#tests/arbitraries/parity-seed.js';

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
