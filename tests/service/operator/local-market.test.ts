// The simulated market of `npm start` begins with rewards to claim, and must not fill the memory of a machine on which it keeps running.

import { expect } from 'chai';
import { OPENING_IDENTITIES } from '#app/operator/local/identities.js';
import { launchable, openMarket, pauseAfter } from '#app/operator/local/market.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { launch } from '#tests/program/tokens.js';
import { heldBy } from '#tests/program/trader.js';

const HOUR_MS = 3_600_000;

/** Number of trades that the market makes in `time`, if a trade itself takes no time. */
function tradesIn(time: number): number {
  let trades = 0;
  for (let now = 0; now < time; trades += 1) now += pauseAfter(trades);
  return trades;
}

describe('the simulated market', () => {
  const cluster = useCluster();

  it('opens with a buy of every wallet of each of the first tokens', async () => {
    const tokens = OPENING_IDENTITIES.slice(0, 3).map(launchable);
    for (const { mintKey } of tokens) await launch(cluster(), {}, cluster().payer, mintKey);
    const traders = await cluster().fundedWallets(6);
    await openMarket(cluster(), tokens, traders);
    for (const token of tokens)
      for (const trader of traders) expect(await heldBy(cluster(), trader, token)).to.not.equal(0n);
  });

  it('makes fewer than 600 trades per hour and 2,200 per day, because the cluster keeps each one', () => {
    expect(tradesIn(HOUR_MS)).to.be.lessThan(600);
    expect(tradesIn(24 * HOUR_MS)).to.be.lessThan(2_200);
  });
});
