// Graduates 10,000 random curves in a virtual machine, with random properties, donations, fees and lamports sent to
// addresses before. The test computes the expected amounts independently of the program. threat: graduate-gifts
import fc from 'fast-check';
import { expect } from 'chai';
import { GRADUATION_VIRTUAL_TOKEN, TOKEN_SUPPLY } from '@curvekit/sdk';
import { forEachAmm } from '#tests/graduation/amms.js';
import { CURVE_BYTES, OPENED, SvmCurves, type SoldOut } from '#tests/graduation/svm-curves.js';

const CASES = Number(process.env['GRADUATION_CASES'] ?? 10_000);
const MINTS = 16;
const NETWORK_FEE = 5_000n;
const MAX_CREATE_POOL_FEE = 300_000_000n;
/** Liquidity that the AMM locks. It refuses to open a pool with no more than this. */
const LOCKED_LIQUIDITY = 100n;
const CLOSEST = 10n ** 9n;

const orNone = (lamports: fc.Arbitrary<bigint>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, lamports);
/** Every number of digits is equally likely. */
const logarithmic = (least: number, most: number) =>
  fc
    .integer({ min: least, max: most })
    .chain((digits) => fc.bigInt(10n ** BigInt(digits), 10n ** BigInt(digits + 1)));

const curves: fc.Arbitrary<SoldOut> = fc
  .record({
    mint: fc.nat(MINTS - 1),
    initialVirtualSol: fc.oneof(fc.constant(30_000_000_000n), logarithmic(0, 16)),
    initialVirtualToken: fc.oneof(
      fc.constant(1_073_000_000_000_000n),
      fc.bigInt(TOKEN_SUPPLY + 1n, TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n),
    ),
    dust: orNone(fc.bigInt(1n, 1_000n)),
    giftSol: orNone(logarithmic(0, 12)),
    giftTokenBps: orNone(fc.bigInt(0n, 10_000n)),
    afterMigrationFee: fc.constantFrom(0, 25, 50, 100, 200, 500),
    wsolStorage: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
    tokenStorage: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
    createPoolFee: fc.oneof(
      fc.constant(150_000_000n),
      fc.bigInt(0n, MAX_CREATE_POOL_FEE + 3n),
      logarithmic(8, 11),
    ),
    sentAhead: fc.array(orNone(logarithmic(6, 11)), { minLength: OPENED.length, maxLength: OPENED.length }),
    fees: orNone(logarithmic(0, 12)),
  })
  .map(({ initialVirtualSol, initialVirtualToken, dust, giftSol, giftTokenBps, ...rest }) => {
    const product = initialVirtualSol * initialVirtualToken;
    const virtualSol = (product + GRADUATION_VIRTUAL_TOKEN - 1n) / GRADUATION_VIRTUAL_TOKEN + dust;
    const sold = initialVirtualToken - GRADUATION_VIRTUAL_TOKEN;
    return {
      ...rest,
      virtualSol,
      sol: virtualSol - initialVirtualSol + giftSol,
      tokens: TOKEN_SUPPLY - sold + (sold * giftTokenBps) / 10_000n,
    };
  });

interface Split {
  readonly communitySol: bigint;
  readonly communityToken: bigint;
  readonly poolSol: bigint;
  readonly poolToken: bigint;
}

function splitOf(curve: SoldOut, costs: bigint): Split {
  const isOpen = curve.wsolStorage && curve.tokenStorage;
  const share = (amount: bigint) => (isOpen ? (amount * BigInt(curve.afterMigrationFee)) / 10_000n : 0n);
  const communitySol = share(curve.sol);
  const communityToken = share(curve.tokens);
  const poolSol = curve.sol - communitySol - costs;
  const fitting = (poolSol * GRADUATION_VIRTUAL_TOKEN) / curve.virtualSol;
  const left = curve.tokens - communityToken;
  return { communitySol, communityToken, poolSol, poolToken: fitting < left ? fitting : left };
}

forEachAmm('random curves graduate', (so, index) => {
  const cases = index === 0 ? CASES : CASES / 5;
  it(`${cases} times: amounts add up exactly, the platform loses nothing, and no LP token is left`, function () {
    this.timeout(600_000);
    const svm = new SvmCurves(so, MINTS);
    const opening = [637, 4_075, 82, 165, 165].reduce((sum, bytes) => sum + svm.rentOf(bytes), 0n);
    let graduated = 0;
    let atClosingPrice = 0;

    const property = fc.property(curves, (curve) => {
      svm.prepare(curve);
      const key = (name: Parameters<SvmCurves['key']>[1]) => svm.key(curve, name);
      const { solVault, tokenVault } = svm.mints[curve.mint]!;
      const above =
        curve.createPoolFee > MAX_CREATE_POOL_FEE ? curve.createPoolFee - MAX_CREATE_POOL_FEE : 0n;
      const isPaid = svm.lamports(key('poolCreator')) >= above;
      const costs = curve.createPoolFee - above + opening;
      const split = splitOf(curve, costs);
      const before = {
        all: svm.allLamports(curve),
        fees: svm.lamports(key('feeReceiver')),
        payer: svm.payerLamports(),
      };
      const error = svm.graduate(curve);
      expect(svm.allLamports(curve)).to.equal(before.all - NETWORK_FEE);
      expect(svm.payerLamports()).to.equal(before.payer - NETWORK_FEE);

      const tooLittle = split.poolSol <= 0n || split.poolToken <= 0n;
      const liquidity = tooLittle ? 0n : root(split.poolSol * split.poolToken);
      if (!isPaid || tooLittle || liquidity <= LOCKED_LIQUIDITY) {
        const code = !isPaid ? '6002' : tooLittle ? '6003' : '';
        expect(error ?? 'no error').to.contain(code);
        expect(error).to.not.equal(undefined);
        expect(svm.tokens(key('tokenOwnerTokenAccount'))).to.equal(curve.tokens);
        expect(svm.lamports(key('feeReceiver'))).to.equal(before.fees);
        return;
      }
      expect(error).to.equal(undefined);
      graduated += 1;
      expect(svm.lamports(key('tokenOwnerPda'))).to.equal(svm.rentOf(CURVE_BYTES));
      expect(svm.tokens(key('tokenOwnerTokenAccount'))).to.equal(0n);
      // Lamports sent to the wrapped SOL vault before the graduation are a gift to the pool.
      const gift = svm.giftToVault(curve);
      expect(svm.tokens(solVault)).to.equal(split.poolSol + gift);
      expect(svm.tokens(tokenVault)).to.equal(split.poolToken);
      expect(svm.tokens(key('communityWsolStorage'))).to.equal(split.communitySol);
      expect(svm.tokens(key('communityTokenStorage'))).to.equal(split.communityToken);
      const burnt = curve.tokens - split.communityToken - split.poolToken;
      expect(svm.supply(key('tokenMint'))).to.equal(TOKEN_SUPPLY - burnt);
      expect(svm.supply(key('lpMint'))).to.equal(0n);
      expect(svm.lamports(key('feeReceiver')) >= before.fees).to.equal(true);
      for (const name of ['poolCreator', 'tokens', 'wrappedSol', 'lpTokens'] as const)
        expect(svm.lamports(key(name)), name).to.equal(0n);

      const [paid, closing] = [split.poolSol * GRADUATION_VIRTUAL_TOKEN, curve.virtualSol * split.poolToken];
      expect(paid >= closing).to.equal(true);
      // Otherwise there is excess SOL, as the spec says: from a gift, or from properties with too many virtual tokens.
      if (burnt === 0n || gift > 0n || split.poolToken < CLOSEST) return;
      atClosingPrice += 1;
      expect((paid - closing) * CLOSEST < closing).to.equal(true);
    });
    fc.assert(property, { numRuns: cases });
    expect(graduated).to.be.greaterThan(cases / 3);
    expect(atClosingPrice).to.be.greaterThan(cases / 10);
  });
});

forEachAmm('a graduation after a change of the rent', (so) => {
  /** By the lamports of a byte: what the storage gains beside its share, since its reserve moves. */
  for (const [lamportsPerByte, moved] of [
    [696n, 1_835_352n],
    [6_960n, 0n],
    [13_920n, -2_039_280n],
  ] as const) {
    it(`Given ${lamportsPerByte} lamports a byte instead of 6960, when a curve graduates, then the record says what the storage gained`, () => {
      const svm = new SvmCurves(so, 1);
      const curve: SoldOut = {
        mint: 0,
        virtualSol: 114_964_285_715n,
        sol: 84_964_285_715n,
        tokens: 207_000_000_000_000n,
        afterMigrationFee: 100,
        wsolStorage: true,
        tokenStorage: true,
        createPoolFee: 150_000_000n,
        sentAhead: OPENED.map(() => 0n),
        fees: 100_000_000n,
      };
      svm.prepare(curve);
      const migrated = () => svm.lamports(svm.key(curve, 'tokenOwnerPda'));
      const before = migrated();
      svm.setRent(lamportsPerByte);
      const { error, communitySol } = svm.graduateRecorded(curve);
      expect(error).to.equal(undefined);
      expect(communitySol).to.equal(svm.tokens(svm.key(curve, 'communityWsolStorage')));
      expect(communitySol).to.equal((before - migrated()) / 100n + moved);

      // A share below the rise of the reserve waits until somebody gives the storage the difference.
      const little = { ...curve, afterMigrationFee: 25, sol: 800_000_000n };
      svm.setRent(6_960n);
      svm.prepare(little);
      svm.setRent(lamportsPerByte);
      expect(svm.graduate(little) === undefined).to.equal(moved >= 0n);
    });
  }
});

/** The integer square root. */
function root(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
