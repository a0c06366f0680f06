// Builds the program in tests/amm-stand-in, for clusters without the AMM's own binary.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';

const MANIFEST = join(ROOT, 'tests', 'amm-stand-in', 'Cargo.toml');

/** Builds it. @returns its path, until this process ends. @throws Error unless `cargo build-sbf` succeeds */
export function buildStandIn(log: (line: string) => void): string {
  log('cargo build-sbf of the AMM stand-in');
  // Suites run concurrently: one must not overwrite the file that another reads.
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-stand-in-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const args = ['build-sbf', '--manifest-path', MANIFEST, '--sbf-out-dir', folder];
  const { status, error } = spawnSync('cargo', args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    throw new Error(`cargo ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
  }
  return join(folder, 'amm_stand_in.so');
}
