// The programs that are fuzzed, where nobody names others.
import { join } from 'node:path';
import { AMM_BUILDS } from '#tests/graduation/amm-builds.js';
import { ARTIFACTS, CHEATING_AMM, PROGRAM_SO } from '../../scripts/program/paths.js';
import { buildCheating } from '../../scripts/program/toolchain.js';
import { calledPrograms } from '../differential/programs.js';
import type { Program } from '../differential/svm.js';
import type { Files } from './batch.js';

/** The shipped programs, and the AMMs that are here. */
export function shippedFiles(): Files {
  return {
    curve: join(ARTIFACTS, PROGRAM_SO),
    graduation: join(ARTIFACTS, 'graduation.so'),
    amms: [...AMM_BUILDS.map(({ so }) => so), CHEATING_AMM],
  };
}

/** The same for a test that `npm run mutants` plays on an altered program. */
export function testedFiles(): Files {
  const files = shippedFiles();
  return { ...files, curve: process.env['CURVE_SO'] ?? files.curve };
}

/** The programs that they call, with those that cheat: these are built when they are missing. */
export function builtPrograms(): Promise<readonly Program[]> {
  buildCheating((line) => console.error(`      ${line}`));
  return calledPrograms();
}
