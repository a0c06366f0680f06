// Quotes of a pool, and what the AMM's own binaries make of the same trades.
import { AMM, poolLeastIn, poolTrade } from '@curvekit/sdk';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { AMM_BUILDS, STAND_IN, type AmmBuild } from '#tests/graduation/amm-builds.js';
import { randomInt } from 'node:crypto';
import { ChainPool } from './amm/chain-pool.js';
import { mathsMutants } from './amm/mutants.js';
import { randomOrder, randomPool } from './amm/random-pools.js';
import { replay, type Maths } from './amm/replay.js';
import { keyOf } from './call.js';
import { randomStream } from '../../scripts/random.js';
import { Svm } from './svm.js';

/** Of each build. `AMM_VECTORS=1000000` for a longer run, `AMM_SEED` to repeat one. */
const TRADES = Number(process.env['AMM_VECTORS'] ?? 50_000);
/** Enough to come across any rounding. */
const TRADES_FOR_A_MUTANT = 4_000;
const REFUSALS = 500;
/** Directions, orders of mints, exact in or out; and where the creator fee is. */
const KINDS = 8;
const CREATOR_FEES = 4;

const MATHS: Maths = { exactIn: poolTrade, leastIn: poolLeastIn };

describe('quotes of a pool', function () {
  this.timeout(600_000);
  const seed = Number(process.env['AMM_SEED'] ?? randomInt(2 ** 30));
  let standIn: Svm;

  for (const build of AMM_BUILDS) {
    describe(`and AMM ${build.name}`, () => {
      const { creatorFees } = build;
      let svm: Svm;

      before(() => {
        svm = machineOf(build);
        if (build === STAND_IN) standIn = svm;
      });

      it(`Given ${TRADES} random trades of seed ${seed}, when both make them, then they agree to the unit`, () => {
        const { difference, kinds } = replay({ svm, maths: MATHS, creatorFees, seed, trades: TRADES });
        expect(difference).to.equal(undefined);
        expect(kinds.size, 'kinds of trade').to.equal(KINDS * (creatorFees ? CREATOR_FEES : 1));
      });

      it('Given a limit one unit above the quote, when the trade is made, then the AMM refuses it', () => {
        for (const { chain, input, amount, amountOut } of singleTrades(svm, seed, creatorFees)) {
          const { error } = chain.send([chain.swap('in', input, amount, amountOut + 1n)]);
          if (amountOut > 0n) expect(error).to.equal(`6005 of ${AMM.programId.toBase58()}`);
          // An amount that buys nothing is refused as such.
          else expect(error).to.match(/^(2505|6005|6006) of /);
        }
        expect(AMM.errorName(6005)).to.equal('ExceededSlippage');
      });

      it('Given a pool whose trades the AMM has stopped, when it is read, then it says so, and a trade is refused', () => {
        const pool = randomPool(randomStream(seed, 0), creatorFees);
        const chain = new ChainPool(svm, { ...pool, state: { ...pool.state, tradable: false } });
        expect(chain.read().tradable).to.equal(false);
        const { error } = chain.send([chain.swap('in', 'sol', 10n ** 9n, 0n)]);
        expect(error).to.equal(`6000 of ${AMM.programId.toBase58()}`);
      });
    });
  }

  describe('and a wrong one', () => {
    for (const { what, load } of mathsMutants()) {
      it(`Given a quote with ${what}, when it is compared, then it shows`, async () => {
        const maths = await load();
        const { difference } = replay({
          svm: standIn,
          maths,
          creatorFees: true,
          seed,
          trades: TRADES_FOR_A_MUTANT,
        });
        expect(difference).to.be.a('string');
      });
    }
  });
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
