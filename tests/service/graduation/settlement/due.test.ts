// What storages are worth, and whether that is enough for a settlement.
import { expect } from 'chai';
import { isDue, valueOf } from '#app/graduation/settlement/periods/due.js';

const UNITS = 100_000_000_000n;
const CURVE = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
const FALLEN = { ...CURVE, virtualSol: CURVE.virtualSol / 100n };

describe('the value of storages', () => {
  it('is rounded down, at the smaller price', () => {
    const storages = { sol: 5n, token: UNITS };
    const atCurve = 5n + (UNITS * CURVE.virtualSol) / CURVE.virtualToken;
    const atPool = 5n + (UNITS * FALLEN.virtualSol) / FALLEN.virtualToken;
    expect(valueOf(storages, CURVE, undefined)).to.equal(atCurve);
    expect(valueOf(storages, CURVE, FALLEN)).to.equal(atPool);
    expect(valueOf(storages, FALLEN, CURVE)).to.equal(atPool);
    expect(valueOf({ sol: 0n, token: 2n }, { virtualSol: 2n, virtualToken: 3n }, undefined)).to.equal(1n);
  });

  it('does not use reserves without tokens, which have no price', () => {
    const storages = { sol: 5n, token: UNITS };
    const empty = { virtualSol: 1n, virtualToken: 0n };
    expect(valueOf(storages, CURVE, empty)).to.equal(valueOf(storages, CURVE, undefined));
    expect(valueOf(storages, empty, undefined)).to.equal(5n);
  });
});

describe('storages that are due', () => {
  const settings = { minimumSol: 100n, minimumToken: 10n, lpAddress: undefined } as Parameters<
    typeof isDue
  >[2];
  const cases = [
    { sol: 1n, token: 0n, value: 100n, due: true },
    { sol: 1n, token: 0n, value: 99n, due: false },
    { sol: 0n, token: 10n, value: 100n, due: true },
    { sol: 0n, token: 9n, value: 100n, due: false },
    { sol: 1n, token: 9n, value: 101n, due: true },
    { sol: 0n, token: 10n, value: 99n, due: false },
    { sol: 0n, token: 0n, value: 100n, due: false },
  ];
  for (const { sol, token, value, due } of cases)
    it(`are worth enough and hold something that is taken: ${sol} lamports, ${token} units, worth ${value}`, () => {
      expect(isDue({ sol, token }, value, settings)).to.equal(due);
    });

  it('hold something, also when no amount is too small', () => {
    const free = { ...settings, minimumSol: 0n, minimumToken: 0n };
    expect(isDue({ sol: 0n, token: 0n }, 0n, free)).to.equal(false);
    expect(isDue({ sol: 0n, token: 1n }, 0n, free)).to.equal(true);
  });
});
