// The replay of a curve's trades: what the program has made adds up, and no other list does. threat: lying-index
import { buyExactIn, sellExactIn } from '@curvekit/sdk';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Trade } from '../../web/src/market/types.js';
import { compare, otherFees, type Listed, type OnChain } from '../../web/src/token/replay.js';

const TODAY = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
const LAUNCH = { today: TODAY, virtualToken: TODAY.virtualToken };
const FEE_BPS = 100;

/** A life of a curve, as an honest service lists it. Sales are shares of what circulates. */
function life(steps: readonly (readonly [isBuy: boolean, size: number])[]): {
  listed: Listed;
  chain: OnChain;
} {
  const trades: Trade[] = [];
  let state = TODAY;
  for (const [isBuy, size] of steps) {
    const tokens = ((TODAY.virtualToken - state.virtualToken) * BigInt(size)) / 1_000n;
    if (!isBuy && tokens < 1_000_000n) continue;
    const { virtualSol, virtualToken } = state;
    const made = isBuy
      ? buyExactIn(virtualSol, virtualToken, BigInt(FEE_BPS), BigInt(size) * 30_000_000n)
      : sellExactIn(virtualSol, virtualToken, BigInt(FEE_BPS), tokens);
    const [solAmount, tokenAmount] =
      'net' in made ? [made.net + made.fee, made.tokenOut] : [made.solOut, tokens];
    state = { virtualSol: made.virtualSol, virtualToken: made.virtualToken };
    const number = trades.length + 1;
    trades.push({
      ...{ id: String(number), signature: `s${number}`, mint: 'm', trader: 't', venue: 'curve', isBuy },
      ...{ solAmount: String(solAmount), tokenAmount: String(tokenAmount), fee: String(made.fee) },
      ...{ virtualSol: String(made.virtualSol), virtualToken: String(made.virtualToken) },
      ...{ graduated: 'graduates' in made && made.graduates, slot: number, timestamp: 0, finalized: true },
    });
    if (trades.at(-1)!.graduated) break;
  }
  const isSoldOut = trades.at(-1)?.graduated ?? false;
  return {
    listed: { trades, hasFirst: true, hasNewest: true },
    chain: { ...state, slot: trades.length + 1, isSoldOut },
  };
}

const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 1_000 })), {
  minLength: 1,
  maxLength: 30,
});
const FIELDS = ['solAmount', 'tokenAmount', 'fee', 'virtualSol', 'virtualToken'] as const;

describe('the replay of trades', () => {
  it('says of every life that it adds up, and of one with a changed, missing or repeated trade that it does not', () => {
    fc.assert(
      fc.property(
        steps,
        fc.nat(),
        fc.constantFrom(...FIELDS),
        fc.constantFrom(-1n, 1n, 1_000n),
        (of, at, field, by) => {
          const { listed, chain } = life([[true, 500], ...of]);
          const { trades } = listed;
          expect(compare(listed, chain, LAUNCH)).to.deep.equal({
            is: 'same',
            trades: trades.length,
            newer: 0,
            launchKnown: true,
          });
          expect(otherFees(trades, FEE_BPS)).to.be.at.most(trades.at(-1)!.graduated ? 1 : 0);
          const index = at % trades.length;
          const one = trades[index]!;
          const changed = { ...one, [field]: String(BigInt(one[field]) + by) };
          for (const other of [[changed], [], [one, one], [{ ...one, isBuy: !one.isBuy }]]) {
            const list = {
              ...listed,
              trades: [...trades.slice(0, index), ...other, ...trades.slice(index + 1)],
            };
            expect(compare(list, chain, LAUNCH).is, JSON.stringify(other)).not.to.equal('same');
          }
        },
      ),
    );
  });

  it('tells newer trades, a part of a list, another launch and other fees for what they are', () => {
    const { listed, chain } = life([
      [true, 100],
      [true, 50],
      [false, 300],
      [true, 20],
    ]);
    const { trades } = listed;
    const [first, second, third] = [0, 1, 2].map((index) => trades[index]!);
    const reserves = ({ virtualSol, virtualToken }: Trade) => ({
      virtualSol: BigInt(virtualSol),
      virtualToken: BigInt(virtualToken),
    });
    const then = { ...chain, ...reserves(second!), slot: 2 };
    expect(compare(listed, then, LAUNCH)).to.include({ is: 'same', trades: 2, newer: 2 });
    // The node has passed the slot of the third trade without it.
    expect(compare(listed, { ...then, slot: 9 }, LAUNCH)).to.deep.equal({
      is: 'unheld',
      number: 3,
      signature: third!.signature,
    });
    const newest = { trades: trades.slice(1), hasFirst: false, hasNewest: true };
    expect(compare(newest, chain, LAUNCH)).to.include({ is: 'same', trades: 3 });
    expect(compare({ ...newest, hasFirst: true }, chain, LAUNCH)).to.include({ is: 'parts', number: 1 });
    const begun = { trades: trades.slice(0, 2), hasFirst: true, hasNewest: false };
    expect(compare(begun, chain, LAUNCH)).to.deep.equal({ is: 'partly', trades: 2 });
    const changed = { ...LAUNCH, today: { ...TODAY, virtualSol: 1n } };
    expect(compare(listed, chain, changed)).to.include({ is: 'same', launchKnown: false });
    const untraded = { trades: [], hasFirst: true, hasNewest: true };
    expect(compare(untraded, { ...chain, ...TODAY }, LAUNCH)).to.include({ is: 'same', trades: 0 });
    expect(compare(untraded, chain, LAUNCH).is).to.equal('elsewhere');
    expect(otherFees(trades, FEE_BPS)).to.equal(0);
    expect(otherFees([{ ...first!, fee: '0' }, second!], FEE_BPS)).to.equal(1);
  });
});
