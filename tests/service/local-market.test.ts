// The market of `npm start` must not fill the memory of the machine that it is left running on.
import { expect } from 'chai';
import { pauseAfter } from '#app/local/market.js';

const HOUR_MS = 3_600_000;

/** Trades that a market makes in a time, if trading itself took none. */
function tradesIn(time: number): number {
  let trades = 0;
  for (let now = 0; now < time; trades += 1) now += pauseAfter(trades);
  return trades;
}

describe('the simulated market', () => {
  it('trades briskly while somebody looks at what has just started', () => {
    expect(tradesIn(60_000)).to.be.greaterThan(60);
  });

  it('makes no more than 600 trades in an hour and 2,200 in a day: the cluster keeps each', () => {
    expect(tradesIn(HOUR_MS)).to.be.lessThan(600);
    expect(tradesIn(24 * HOUR_MS)).to.be.lessThan(2_200);
  });
});
