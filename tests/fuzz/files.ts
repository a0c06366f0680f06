// The programs that are fuzzed, where nobody names others.
import { join } from 'node:path';
import { ARTIFACTS, PROGRAM_SO } from '../../scripts/program/paths.js';
import { ammFiles } from './amms.js';
import type { Files } from './batch.js';

/** The shipped programs, and the AMMs that are here. */
export function shippedFiles(): Files {
  return {
    curve: join(ARTIFACTS, PROGRAM_SO),
    graduation: join(ARTIFACTS, 'graduation.so'),
    amms: ammFiles(),
  };
}
