// The program and the oracle, step by step: `npm run test:differential -- --help` says what is compared.
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

const STEPS = 50_000;
/** Enough to come across any error. */
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

  it('Given a curve in any state, when anything single is wrong with a call, then both do the same', async () => {
    requireNone(await sweep(lab, { seed, tally }));
  });

  it(`Given ${STEPS} random steps of seed ${seed}, when both take them, then both do the same`, async () => {
    requireNone(await explore(lab, { steps: STEPS, seed, tally }));
  });

  it('Given all these steps, when they are counted, then every success and error was among them', () => {
    expect(tally.missing()).to.deep.equal([]);
  });

  const mutants = mutantsOf(shipped);

  it('Given the constants of the program, when they are looked for in its code, then most are there to be changed', () => {
    expect(mutants.length).to.be.greaterThan(25);
  });

  for (const { what, binary } of mutants) {
    it(`Given a program that is wrong in ${what}, when they are compared, then it shows`, async () => {
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
