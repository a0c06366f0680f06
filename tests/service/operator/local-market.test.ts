// The simulated market of `npm start` must not fill the memory of a machine on which it keeps running.
import { tmpdir } from 'node:os';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { readConfig } from '#app/config/config.js';
import { localEnvironment } from '#app/operator/local/launchpad.js';
import { pauseAfter, pauseBeforeLaunch } from '#app/operator/local/market.js';

const HOUR_MS = 3_600_000;

/** Number of trades that the market makes in `time`, if a trade itself takes no time. */
function tradesIn(time: number, pauseOf = pauseAfter): number {
  let trades = 0;
  for (let now = 0; now < time; trades += 1) now += pauseOf(trades);
  return trades;
}

describe('the simulated market', () => {
  it('makes more than one trade per second in its first minute', () => {
    expect(tradesIn(60_000)).to.be.greaterThan(60);
  });

  it('makes fewer than 600 trades per hour and 2,200 per day, because the cluster keeps each one', () => {
    expect(tradesIn(HOUR_MS)).to.be.lessThan(600);
    expect(tradesIn(24 * HOUR_MS)).to.be.lessThan(2_200);
  });

  it('launches a token every minute or two at first, and fewer than 150 per day', () => {
    expect(tradesIn(600_000, pauseBeforeLaunch)).to.be.within(5, 10);
    expect(tradesIn(24 * HOUR_MS, pauseBeforeLaunch)).to.be.lessThan(150);
  });
});

describe('the configuration of `npm start`', () => {
  it('has a higher limit than production, because all programs have one address there', () => {
    const key = () => Keypair.generate();
    const cluster = { rpcUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1', kind: 'surfpool' } as const;
    const keys = { admin: key(), dexOwner: key(), feeReceiver: key() };
    const { http } = readConfig(localEnvironment({}, { ...cluster, ...keys }, key(), tmpdir()));
    const { rateLimit, marketRateLimit } = http;
    expect([rateLimit.requests, marketRateLimit.requests]).to.deep.equal([100_000, 100_000]);
  });
});
