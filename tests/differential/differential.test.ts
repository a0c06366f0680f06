// Compares the program with the oracle step by step. For details: `npm run test:differential -- --help`. threat: missing-check, one-account-twice
import { AssertionError, expect } from 'chai';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS, ORACLE, PROGRAM_SO } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { explore, type Finding } from './explore.js';
import { Lab } from './lab.js';
import { mutantsOf } from './mutants.js';
import { Pair } from './pair.js';
import { Tally } from './outcomes.js';
import { machineOf, programsBeside } from './programs.js';
import { explain } from './report.js';
import type { Program, Svm } from './svm.js';
import { sweep } from './sweep.js';

const STEPS = Number(process.env['DIFFERENTIAL_STEPS'] ?? 50_000);
/** Enough steps to detect any mutant. */
const STEPS_FOR_A_MUTANT = 10_000;

describe('the program and the oracle', function () {
  this.timeout(600_000);
  const seed = randomInt(2 ** 30);
  const shipped = readFileSync(join(ARTIFACTS, PROGRAM_SO));
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

  function requireNone(finding: Finding | undefined): void {
    if (finding !== undefined) throw new AssertionError(explain(lab, finding));
  }

  it('Given a curve in any state, when a call has any single fault, then both give the same result', async () => {
    requireNone(await sweep(lab, { seed, tally }));
  });

  it(`Given ${STEPS} random steps of seed ${seed}, when both execute them, then both give the same results`, async () => {
    requireNone(await explore(lab, { steps: STEPS, seed, tally }));
  });

  it('Given all these steps, when outcomes are counted, then every success and error occurred', () => {
    expect(tally.missing()).to.deep.equal([]);
  });

  const mutants = mutantsOf(shipped);

  it('Given the constants of the program, when its code is searched, then mutants exist for most of them', () => {
    expect(mutants.length).to.be.greaterThan(25);
  });

  for (const { what, binary } of mutants) {
    it(`Given a program that is wrong in ${what}, when it is compared with the oracle, then a difference is found`, async () => {
      lab.close();
      const wrong = new Lab(new Pair(machineOf(binary, beside), oracle));
      const unseen = new Tally();
      const finding =
        (await sweep(wrong, { seed, tally: unseen })) ??
        (await explore(wrong, { steps: STEPS_FOR_A_MUTANT, seed, tally: unseen }));
      wrong.close();
      expect(finding).to.not.equal(undefined);
    });
  }
});
