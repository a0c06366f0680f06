// cargo-deny, where it is installed: a second opinion about the crates, by deny.toml.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../program/paths.js';
import { RUST_WORKSPACES } from './rust.js';

/** Without `advisories`, which needs a database from the network. */
const CHECKS = ['bans', 'licenses', 'sources'];

/** What to tell when cargo-deny does not run. Undefined when it is on PATH. */
export function missingCargoDeny(path = process.env['PATH']): string | undefined {
  const { status } = spawnSync('cargo-deny', ['--version'], {
    stdio: 'ignore',
    env: { ...process.env, PATH: path },
  });
  return status === 0 ? undefined : 'without cargo-deny: `cargo install cargo-deny --locked` gets it';
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
