// The program in caller/, through which a call reaches the program under test from another program.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIFFERENTIAL } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { keyOf, type Call } from './call.js';
import type { Program } from './svm.js';

const CALLER = keyOf(createHash('sha256').update('caller').digest());

/** @throws Error unless `cargo build-sbf` builds it */
export function buildCaller(log: (line: string) => void): Program {
  buildForDifferential('caller', log);
  return { key: CALLER, binary: readFileSync(join(DIFFERENTIAL, 'caller.so')) };
}

/** The same call, made by the caller. */
export function throughCaller({ program, metas, data }: Call): Call {
  return { program: CALLER, metas: [{ key: program, isSigner: false, isWritable: false }, ...metas], data };
}
