// Compares quotes of a pool with the AMM's own binaries.
import { AMM, poolTrade } from '@curvekit/sdk';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { AMM_BUILDS } from '#tests/graduation/amm-builds.js';
import type { AmmBuild } from '#tests/graduation/foreign-builds.js';
import { randomInt } from 'node:crypto';
import { ChainPool } from './amm/chain-pool.js';
import { randomOrder, randomPool } from './amm/random-pools.js';
import { replay } from './amm/replay.js';
import { keyOf } from './call.js';
import { randomStream } from '../../scripts/random.js';
import { Svm } from './svm.js';

/** Trades per build. `AMM_VECTORS=1000000` makes a longer run, `AMM_SEED` repeats one. */
const TRADES = Number(process.env['AMM_VECTORS'] ?? 50_000);
const REFUSALS = 500;
/** Combinations of direction, mint order, and exact in or out. Each occurs with every kind of creator fee. */
const KINDS = 8;
const CREATOR_FEES = 4;

describe('quotes of a pool', function () {
  this.timeout(600_000);
  const seed = Number(process.env['AMM_SEED'] ?? randomInt(2 ** 30));

  for (const build of AMM_BUILDS) {
    describe(`and AMM ${build.name}`, () => {
      const { creatorFees } = build;
      let svm: Svm;

      before(() => (svm = machineOf(build)));

      it(`Given ${TRADES} random trades of seed ${seed}, when both execute them, then they agree exactly`, () => {
        const { difference, kinds } = replay({ svm, creatorFees, seed, trades: TRADES });
        expect(difference).to.equal(undefined);
        expect(kinds.size, 'kinds of trade').to.equal(KINDS * (creatorFees ? CREATOR_FEES : 1));
      });

      it('Given a limit one base unit above the quote, when the trade is made, then the AMM refuses it', () => {
        for (const { chain, input, amount, amountOut } of singleTrades(svm, seed, creatorFees)) {
          const { error } = chain.send([chain.swap('in', input, amount, amountOut + 1n)]);
          if (amountOut > 0n) expect(error).to.equal(`6005 of ${AMM.programId.toBase58()}`);
          // For an amount that buys nothing the AMM has other errors.
          else expect(error).to.match(/^(2505|6005|6006) of /);
        }
        expect(AMM.errorName(6005)).to.equal('ExceededSlippage');
      });

      it('Given a pool whose swaps are disabled, when it is read, then tradable is false, and a trade is refused', () => {
        const pool = randomPool(randomStream(seed, 0), creatorFees);
        const chain = new ChainPool(svm, { ...pool, state: { ...pool.state, tradable: false } });
        expect(chain.read().tradable).to.equal(false);
        const { error } = chain.send([chain.swap('in', 'sol', 10n ** 9n, 0n)]);
        expect(error).to.equal(`6000 of ${AMM.programId.toBase58()}`);
      });
    });
  }
});

function machineOf({ so }: AmmBuild): Svm {
  return new Svm([{ key: keyOf(AMM.programId), binary: readFileSync(so) }]);
}

function* singleTrades(svm: Svm, seed: number, creatorFees: boolean) {
  for (let stream = 0; stream < REFUSALS; stream += 1) {
    const random = randomStream(seed, stream);
    const pool = randomPool(random, creatorFees);
    const { input, amount } = randomOrder(random, pool.state);
    const { amountOut } = poolTrade(pool.state, input, amount);
    yield { chain: new ChainPool(svm, pool), input, amount, amountOut };
  }
}
