// The moments at which the holders are sampled: a wallet that holds for a part of a period earns about that part. threat: momentary-holder
import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  deadlineOf,
  momentOf,
  newSeed,
  nextSample,
  SAMPLES,
  seedHashOf,
  type Period,
} from '#app/graduation/settlement/periods/moments.js';

const PERIOD_MS = 600_000;
const STRATUM_MS = PERIOD_MS / SAMPLES;
const START = 1_800_000_000_000;
const RUNS = 4_000;

/** The same seeds in every run. */
const seedOf = (index: number) => createHash('sha256').update(`seed ${index}`).digest('hex');
const periodOf = (seed: string, startedAt = START): Period => ({
  seed,
  startedAt,
  periodMs: PERIOD_MS,
  samples: SAMPLES,
});
const momentsOf = (period: Period) => Array.from({ length: SAMPLES }, (_, index) => momentOf(period, index));

/** Of the periods of all runs, made once. Loops over them compare numbers themselves: an `expect` takes longer than the rest. */
const PERIODS = Array.from({ length: RUNS }, (_, run) => momentsOf(periodOf(seedOf(run))));

describe('sample moments of a period', () => {
  it('lie one in each stratum, at the point that the seed determines', () => {
    const isInside = (moment: number, index: number) =>
      moment >= START + index * STRATUM_MS && moment < START + (index + 1) * STRATUM_MS;
    expect(PERIODS.filter((moments) => !moments.every(isInside))).to.deep.equal([]);
    expect(PERIODS.flat()).to.have.length(RUNS * SAMPLES);
  });

  it('can be computed by anyone from the documented formula', () => {
    const seed = newSeed();
    const bytes = Buffer.from(seed, 'hex');
    expect(seedHashOf(seed)).to.equal(createHash('sha256').update(bytes).digest('hex'));
    for (let index = 0; index < SAMPLES + 2; index += 1) {
      const hash = createHmac('sha256', bytes).update(String(index)).digest('hex');
      const fraction = Number.parseInt(hash.slice(0, 12), 16) / 2 ** 48;
      const moment = Math.floor(START + (index + fraction) * STRATUM_MS);
      expect(momentOf(periodOf(seed), index)).to.equal(moment);
    }
    expect(newSeed()).to.not.equal(seed);
  });

  it('are taken in order, late ones before their deadline, missed ones after the period, and are always complete', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        // How long each read, or an absence of the settler, takes.
        fc.array(fc.integer({ min: 1, max: 3 * STRATUM_MS }), { minLength: 1, maxLength: 20 }),
        (run, busyMs) => {
          const period = periodOf(seedOf(run));
          const taken = new Map<number, number>();
          let now = START;
          for (let step = 0; taken.size < SAMPLES; step += 1) {
            const index = nextSample(period, new Set(taken.keys()), now)!;
            now = Math.max(now, momentOf(period, index));
            expect(taken.has(index)).to.equal(false);
            expect(now).to.be.at.least(momentOf(period, index));
            expect(now).to.be.below(deadlineOf(period, index));
            taken.set(index, now);
            now += busyMs[step % busyMs.length]!;
          }
          expect(nextSample(period, new Set(taken.keys()), now)).to.equal(undefined);
          // No window of a fraction f of the period contains more than 16 f + 2.4 samples.
          const times = [...taken.values()].sort((a, b) => a - b);
          for (const [from, first] of times.entries()) {
            for (const [to, last] of times.entries()) {
              if (to < from) continue;
              expect(to - from + 1).to.be.at.most(((last - first) / PERIOD_MS) * SAMPLES + 2.4);
            }
          }
        },
      ),
      { numRuns: 500, seed: 11 },
    );
  });

  it('moments that passed while the settler was away are not taken later', () => {
    const period = periodOf(seedOf(1));
    const away = START + 5.6 * STRATUM_MS;
    expect(nextSample(period, new Set([0, 1]), away)).to.equal(5);
    expect(nextSample(period, new Set([0, 1, 5]), away)).to.equal(6);
    const late = START + 3 * PERIOD_MS;
    expect(nextSample(period, new Set([0, 1]), late)).to.be.within(3 * SAMPLES - 1, 3 * SAMPLES);
  });

  it('begin with the first, which is late 1.4 parts after the start', () => {
    const period = periodOf(seedOf(1));
    const deadline = START + 1.4 * STRATUM_MS;
    expect(deadlineOf(period, 0)).to.equal(deadline);
    const next = (now: number) => nextSample(period, new Set(), now);
    expect([START - PERIOD_MS, START, deadline - 1, deadline].map(next)).to.deep.equal([0, 0, 0, 1]);
  });
});

describe('a buyer who holds the token for a part of a period', () => {
  /** Measured: a buy of 40 SOL gave 48.6 % of the held tokens in one snapshot, and so 4.07 of 20 SOL after costs. */
  const BUYER = 486n;
  const POT = 20_000_000_000n;

  type Window = readonly [from: number, to: number];
  const met = (moments: readonly number[], windows: readonly Window[]) =>
    moments.filter((moment) => windows.some(([from, to]) => moment >= from && moment < to)).length;
  /** Lamports of the pot that a wallet earns if it held `thousandths` of the token in `samples` samples. */
  const earned = (samples: number, thousandths = BUYER) => {
    const weight = thousandths * BigInt(samples);
    return (POT * weight) / (weight + (1_000n - thousandths) * BigInt(SAMPLES));
  };
  /** The wallet's mean balance, as a share of holding throughout. */
  const shareOf = (samples: number) => samples / SAMPLES;
  /** From 0 to 1, the same in every run: bits of a product, mixed as MurmurHash3 does. */
  const random = (run: number, index: number) => {
    let bits = Math.imul(run * 131 + index + 1, 0x9e3779b1);
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  };

  it('in one window: earns at most that part plus 15 % of the whole, wherever the window begins', () => {
    // In samples, and in lamports for a wallet that holds one percent of the token.
    const all = Number(earned(SAMPLES, 10n));
    const ofPot = Array.from({ length: SAMPLES + 1 }, (_, samples) => Number(earned(samples, 10n)) / all);
    const above: { run: number; from: number; samples: number }[] = [];
    for (const [run, moments] of PERIODS.entries()) {
      const f = random(run, 0);
      // Random starts, starts at the borders of strata, where two samples can be close together, and the luckiest: at a sample.
      const starts = [
        random(run, 1),
        ...Array.from({ length: SAMPLES }, (_, index) => (index + 0.9) / SAMPLES),
      ].map((start) => START + start * (1 - f) * PERIOD_MS);
      for (const from of [...starts, ...moments]) {
        const samples = met(moments, [[from, from + f * PERIOD_MS]]);
        if (shareOf(samples) > f + 0.15 || ofPot[samples]! > f + 0.15) above.push({ run, from, samples });
      }
    }
    expect(above).to.deep.equal([]);
  });

  for (const count of [2, 5, 16, 100]) {
    it(`in ${count} short windows: earns that part on average, and little more in the luckiest of a hundred runs`, () => {
      for (const f of [0.05, 0.25, 0.5]) {
        const shares: number[] = [];
        for (const [run, moments] of PERIODS.entries()) {
          const every = PERIOD_MS / count;
          const windows = Array.from({ length: count }, (_, index): Window => {
            const from = START + index * every + random(run, index) * (1 - f) * every;
            return [from, from + f * every];
          });
          shares.push(shareOf(met(moments, windows)));
        }
        const mean = shares.reduce((a, b) => a + b, 0) / RUNS;
        expect(mean).to.be.closeTo(f, 0.01);
        // Each window meets a sample independently: a standard deviation of at most √(f (1 − f) / 16).
        const high = shares.sort((a, b) => a - b)[Math.floor(0.99 * RUNS)]!;
        expect(high).to.be.at.most(f + 2.6 * Math.sqrt((f * (1 - f)) / SAMPLES) + 1 / SAMPLES);
      }
    });
  }

  it('for two seconds at the end, which once earned 48.6 % of the pot: earns less than its costs', () => {
    const MOMENT_MS = 2_000;
    let paid = 0n;
    let lucky = 0;
    for (const moments of PERIODS) {
      // At the end of the period, like the measured attack.
      const until = START + PERIOD_MS;
      const samples = met(moments, [[until - MOMENT_MS, until]]);
      expect(samples).to.be.at.most(1);
      if (samples > 0) lucky += 1;
      paid += earned(samples);
    }
    // Two seconds of the last stratum's 37.5.
    expect(lucky / RUNS).to.be.closeTo(MOMENT_MS / STRATUM_MS, 0.02);
    const mean = paid / BigInt(RUNS);
    // A round trip of 40 SOL on the curve costs 2 % of it.
    const cost = 800_000_000n;
    expect(Number(mean)).to.be.below(Number(cost) / 8);
    expect(Number(earned(SAMPLES))).to.be.closeTo(0.486 * Number(POT), 1);
  });
});
