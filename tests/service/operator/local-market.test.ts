// The simulated market of `npm start` must not fill the memory of a machine on which it keeps running.

import { expect } from 'chai';
import { pauseAfter } from '#app/operator/local/market.js';

const HOUR_MS = 3_600_000;

/** Number of trades that the market makes in `time`, if a trade itself takes no time. */
function tradesIn(time: number): number {
  let trades = 0;
  for (let now = 0; now < time; trades += 1) now += pauseAfter(trades);
  return trades;
}

describe('the simulated market', () => {
  it('makes fewer than 600 trades per hour and 2,200 per day, because the cluster keeps each one', () => {
    expect(tradesIn(HOUR_MS)).to.be.lessThan(600);
    expect(tradesIn(24 * HOUR_MS)).to.be.lessThan(2_200);
  });
});
