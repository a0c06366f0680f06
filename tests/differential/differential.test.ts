// Compares the program with the reference, which is the same instructions as plain Anchor handlers: first every trade,
// migration and log record with every single thing wrong with it, in every state of a curve, then the fuzzer's random steps.
// threat: missing-check, one-account-twice, account-of-another-kind
import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ORACLE } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { playEpisode, Worlds } from '../fuzz/batch.js';
import { builtPrograms, testedFiles } from '../fuzz/files.js';
import { episodeOf, STEPS_OF_EPISODE } from '../fuzz/generate.js';
import { Violation } from '../fuzz/state.js';
import { World } from '../fuzz/world.js';
import { seededBugs } from './mutants.js';
import { machineOf, programsBeside } from './programs.js';
import type { Program, Svm } from './svm.js';
import { sweep } from './sweep.js';

const STEPS = Number(process.env['DIFFERENTIAL_STEPS'] ?? 50_000);
/** Other accounts with which a call succeeds: any wallet can pay for a token, and a holder can have several token accounts. */
const ACCEPTED: readonly string[] = [
  'buyToken: account 6 but for a byte',
  "buyToken: account 6 is trader 0's second account",
  'createToken: account 1 but for a byte',
  'createToken: account 1 is DEX owner',
  'createToken: account 1 is admin',
  'createToken: account 1 is fee receiver',
  'createToken: account 1 is trader 1',
  'createToken: account 1 is trader 2',
  'createToken: account 1 is wallet',
  'migrate: account 5 but for a byte',
  'sellToken: account 5 but for a byte',
];

describe('the program and the reference', function () {
  this.timeout(600_000);
  const seed = randomInt(2 ** 30);
  const files = testedFiles();
  const shipped = readFileSync(files.curve);
  let reference: Svm;
  let beside: readonly Program[];

  before(async () => {
    const log = (line: string) => console.error(`      ${line}`);
    buildForDifferential('oracle', log);
    beside = await programsBeside(log);
    reference = machineOf(readFileSync(ORACLE), beside);
  });

  const swept = (binary: Uint8Array) => sweep(new World([machineOf(binary, beside), reference], true));

  it('Given a curve in any state, when a call has any single fault, then both give the same result, and no wrong account is accepted', async () => {
    expect([...(await swept(shipped))].sort()).to.deep.equal(ACCEPTED);
  });

  it(`Given ${STEPS} random steps of seed ${seed}, when both take them, then both give the same results`, async () => {
    const worlds = new Worlds({ ...files, reference: ORACLE }, await builtPrograms());
    for (let [index, steps] = [0, 0]; steps < STEPS; index += 1, steps += STEPS_OF_EPISODE) {
      // The memory of the machines is freed only when the event loop turns.
      await nextTurn();
      const episode = episodeOf(seed, index, STEPS_OF_EPISODE, worlds.amms);
      const { failure } = playEpisode(worlds.at(episode.spec.amm), episode);
      expect(failure?.message, `step ${failure?.step} of episode ${index}`).to.equal(undefined);
    }
  });

  for (const { what, of, binary } of seededBugs(files)) {
    if (of !== 'curve') continue;
    it(`Given a program with ${what}, when it is compared with the reference, then a difference is found`, async () => {
      const difference = await swept(binary).catch((error: unknown) => error);
      expect(difference).to.be.instanceOf(Violation);
    });
  }
});
