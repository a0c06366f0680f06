// The program in caller/, through which a call reaches the program under test from another program.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFERENCE } from '../../scripts/program/paths.js';
import { keyOf, type Call } from './call.js';
import type { Program } from './svm.js';

const CALLER = keyOf(createHash('sha256').update('caller').digest());

/** @throws Error unless `cargo build-sbf` builds it */
export function buildCaller(): Program {
  const manifest = join(import.meta.dirname, 'caller', 'Cargo.toml');
  const args = [
    'build-sbf',
    '--manifest-path',
    manifest,
    '--sbf-out-dir',
    REFERENCE,
    '--',
    '--locked',
    '--quiet',
  ];
  const env = { ...process.env, CARGO_TARGET_DIR: join(REFERENCE, 'cargo') };
  const { status, stderr } = spawnSync('cargo', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cargo ${args.join(' ')} failed:\n${stderr}`);
  return { key: CALLER, binary: readFileSync(join(REFERENCE, 'caller.so')) };
}

/** The same call, made by the caller. */
export function throughCaller({ program, metas, data }: Call): Call {
  return { program: CALLER, metas: [{ key: program, isSigner: false, isWritable: false }, ...metas], data };
}
