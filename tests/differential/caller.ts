// The program in caller/, which calls the program under test by CPI.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIFFERENTIAL } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { keyOf, type Call } from './call.js';
import type { Program } from './svm.js';

const CALLER = keyOf(createHash('sha256').update('caller').digest());

/** @throws Error when `cargo build-sbf` fails */
export function buildCaller(log: (line: string) => void): Program {
  buildForDifferential('caller', log);
  return { key: CALLER, binary: readFileSync(join(DIFFERENTIAL, 'caller.so')) };
}

/** The same call as a CPI of the caller program. */
export function throughCaller({ program, metas, data }: Call): Call {
  return { program: CALLER, metas: [{ key: program, isSigner: false, isWritable: false }, ...metas], data };
}
