// The stand-in opens pools and accepts deposits as the AMM's own binaries do. amm-quotes.test.ts tests its swaps.
import { AMM } from '@curvekit/sdk';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { STAND_IN } from '#tests/graduation/amm-builds.js';
import { FOREIGN_BUILDS, type AmmBuild } from '#tests/graduation/foreign-builds.js';
import { OpenedPool, type Faults, type Opening } from './amm/opening.js';
import { keyOf } from './call.js';
import { Svm } from './svm.js';

const NOW = 1_800_000_000n;
const OPENING: Opening = {
  seed: 'pool',
  tokenFirst: true,
  canonical: false,
  amounts: [84_774_000_000n, 206_470_000_000_000n],
  openTime: 0n,
  createPoolFee: 150_000_000n,
  prefunded: 0n,
};

const OPENINGS: readonly (readonly [what: string, changed: Partial<Opening>])[] = [
  ['of a token that sorts first', {}],
  ['of a token that sorts second', { tokenFirst: false, amounts: [206_470_000_000_000n, 84_774_000_000n] }],
  ['at the canonical address', { canonical: true }],
  ['at addresses with a lamport each', { prefunded: 1n }],
  ['at addresses with more lamports than they need', { prefunded: 10n ** 9n }],
  ['without a fee', { createPoolFee: 0n }],
  ['that is to open later', { openTime: NOW + 1_000n }],
  ['whose liquidity is no square', { amounts: [3n, 1_000_003n] }],
  ['of as little as possible', { amounts: [100n, 100n] }],
];

const REFUSED: readonly (readonly [what: string, changed: Partial<Opening>, faults: Faults])[] = [
  ['whose pool does not sign', {}, { unsigned: true }],
  ['while the AMM opens no pools', {}, { poolCreationDisabled: true }],
  ['with its mints in the wrong order', {}, { mintsSwapped: true }],
  ['of nothing', { amounts: [0n, 10n ** 9n] }, {}],
  ['of too little', { amounts: [99n, 100n] }, {}],
];

describe('the AMM stand-in', () => {
  let standIn: Svm;

  before(() => (standIn = machineOf(STAND_IN)));

  it('refuses too little liquidity with the AMM’s error', () => {
    const pool = new OpenedPool(standIn, { ...OPENING, amounts: [99n, 100n] });
    expect(pool.open().error).to.equal(`6009 of ${AMM.programId.toBase58()}`);
  });

  for (const build of FOREIGN_BUILDS) {
    describe(`and AMM ${build.name}`, () => {
      let theirs: Svm;
      before(() => (theirs = machineOf(build)));

      for (const [what, changed] of OPENINGS) {
        it(`Given a pool ${what}, when it is opened and funded, then every account is the same`, () => {
          const pools = [theirs, standIn].map((svm) => new OpenedPool(svm, { ...OPENING, ...changed }));
          const [expected, actual] = pools.map((pool) => {
            const opened = pool.open().error;
            const afterwards = pool.accounts();
            const shares = pool.deposit(12_345n, [1n << 59n, 1n << 59n]).error;
            const tooDear = pool.deposit(1_000_000n, [1n, 1n]).error;
            return { opened, afterwards, shares, tooDear, funded: pool.accounts() };
          });
          expect(expected!.opened).to.equal(undefined);
          expect(actual).to.deep.equal(expected);
        });
      }

      for (const [what, changed, faults] of REFUSED) {
        it(`Given a pool ${what}, when a wallet tries to open it, then both refuse with the same error, and nothing moves`, () => {
          const pools = [theirs, standIn].map(
            (svm) => new OpenedPool(svm, { ...OPENING, ...changed }, faults),
          );
          const [expected, actual] = pools.map((pool) => {
            // The creator still pays the network fee.
            const before = Object.entries(pool.accounts()).filter(([name]) => name !== 'creator');
            const { error } = pool.open();
            expect(pool.accounts()).to.include(Object.fromEntries(before));
            return error;
          });
          expect(expected).to.be.a('string');
          expect(actual).to.equal(expected);
        });
      }
    });
  }
});

function machineOf({ so }: AmmBuild): Svm {
  const svm = new Svm([{ key: keyOf(AMM.programId), binary: readFileSync(so) }]);
  svm.setTime(NOW);
  return svm;
}
