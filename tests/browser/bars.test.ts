// The bars of a chart grow with each trade of the stream.
import { expect } from 'chai';
import type { Trade } from '@curvekit/sdk/market';
import { barOf, grow } from '../../web/src/token/bars.js';

describe('the bars of a chart', () => {
  it('updates each changed bar once per frame, with all its trades', () => {
    const trade = (timestamp: number, virtualSol: number) =>
      ({ timestamp, virtualSol: String(virtualSol), virtualToken: '1000', solAmount: '2000000000' }) as Trade;
    const scale = { interval: 60, supply: '1000' };
    const bars = [barOf([60, '3000000000', '3000000000', '3000000000', '3000000000', '1000000000', 1])];
    const changed = grow(
      bars,
      [trade(61, 5e9), trade(119, 2e9), trade(59, 9e9), trade(120, 4e9), trade(121, 6e9)],
      scale,
    );
    expect(changed).to.deep.equal([
      { time: 60, open: 3, high: 5, low: 2, close: 2, volume: 5 },
      { time: 120, open: 2, high: 6, low: 2, close: 6, volume: 4 },
    ]);
    expect(bars).to.deep.equal(changed);
    expect(grow(bars, [trade(125, 1e9)], scale)).to.deep.equal([
      { time: 120, open: 2, high: 6, low: 1, close: 1, volume: 6 },
    ]);
  });
});
