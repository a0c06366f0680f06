// Compares the program with the oracle, which is the same instructions as plain Anchor handlers: first every trade, migration
// and log record with every single thing wrong with it, in every state of a curve, then the fuzzer's random steps on both.
// threat: missing-check, one-account-twice
import { AssertionError, expect } from 'chai';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ORACLE } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { Worlds } from '../fuzz/batch.js';
import { playEpisode } from '../fuzz/episode.js';
import { builtPrograms, testedFiles } from '../fuzz/files.js';
import { episodeOf, STEPS_OF_EPISODE } from '../fuzz/generate.js';
import { mutantsOf } from './mutants.js';
import { Pair } from './pair.js';
import { Tally } from './outcomes.js';
import { machineOf, programsBeside } from './programs.js';
import type { Program, Svm } from './svm.js';
import { explain, Lab, sweep } from './sweep.js';

const STEPS = Number(process.env['DIFFERENTIAL_STEPS'] ?? 50_000);

describe('the program and the oracle', function () {
  this.timeout(600_000);
  const seed = randomInt(2 ** 30);
  const files = testedFiles();
  const shipped = readFileSync(files.curve);
  const tally = new Tally();
  let oracle: Svm;
  let beside: readonly Program[];
  let lab: Lab;

  before(async () => {
    const log = (line: string) => console.error(`      ${line}`);
    buildForDifferential('oracle', log);
    beside = await programsBeside(log);
    oracle = machineOf(readFileSync(ORACLE), beside);
    lab = new Lab(new Pair(machineOf(shipped, beside), oracle));
  });

  it(`Given a curve in any state, when a call has any single fault (seed ${seed}), then both give the same result`, async () => {
    const finding = await sweep(lab, { seed, tally });
    if (finding !== undefined) throw new AssertionError(explain(lab, finding));
  });

  it('Given all these calls, when outcomes are counted, then every success and error occurred', () => {
    expect(tally.missing()).to.deep.equal([]);
  });

  it(`Given ${STEPS} random steps of seed ${seed}, when both take them, then both give the same results`, async () => {
    const called = await builtPrograms();
    const [ours, reference] = [new Worlds(files, called), new Worlds({ ...files, curve: ORACLE }, called)];
    for (let [index, steps] = [0, 0]; steps < STEPS; index += 1, steps += STEPS_OF_EPISODE) {
      // The memory of the machines is freed only when the event loop turns.
      await nextTurn();
      const episode = episodeOf(seed, index, STEPS_OF_EPISODE, ours.amms);
      const [one, other] = [ours, reference].map((worlds) =>
        playEpisode(worlds.at(episode.spec.amm), episode),
      );
      expect([one!.failure, other!.failure], `episode ${index}`).to.deep.equal([undefined, undefined]);
      expect(one!.digest.equals(other!.digest), `the same results in episode ${index}`).to.equal(true);
    }
  });

  const mutants = mutantsOf(shipped);

  it('Given the constants of the program, when its code is searched, then mutants exist for most of them', () => {
    expect(mutants.length).to.be.greaterThan(25);
  });

  for (const { what, binary } of mutants) {
    it(`Given a program that is wrong in ${what}, when it is compared with the oracle, then a difference is found`, async () => {
      lab.close();
      const wrong = new Lab(new Pair(machineOf(binary, beside), oracle));
      const finding = await sweep(wrong, { seed, tally: new Tally() });
      wrong.close();
      expect(finding).to.not.equal(undefined);
    });
  }
});
