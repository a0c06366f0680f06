// cargo-deny, where it is installed: a second opinion about the crates, by deny.toml.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../program/paths.js';
import { RUST_WORKSPACES } from './rust.js';

/** Without `advisories`, which needs a database from the network. */
const CHECKS = ['bans', 'licenses', 'sources'];

export function hasCargoDeny(): boolean {
  return spawnSync('cargo-deny', ['--version'], { stdio: 'ignore' }).status === 0;
}

export function cargoDenyProblems(): string[] {
  return Object.values(RUST_WORKSPACES).flatMap((folder) => {
    const { status, stderr } = spawnSync('cargo', ['deny', '--locked', 'check', ...CHECKS], {
      cwd: join(ROOT, folder),
      encoding: 'utf8',
    });
    return status === 0 ? [] : [`cargo deny in ${folder}: ${stderr}`];
  });
}
