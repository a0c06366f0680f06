/** Finds Coq and OCaml, and installs Debian's packages where it may. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../command-line.js';

/** Debian's names. The second has OCaml's integers of any size, in which the extracted model computes. */
const PACKAGES = ['coq', 'libzarith-ocaml-dev'] as const;

/**
 * Coq's version, such as `8.16.1`.
 *
 * @param log says what it installs, before it does
 * @throws CommandError that says how to install what is missing, where this process may not
 */
export function ensureCoq(log: (line: string) => void): string {
  let missing = missingTool();
  if (missing !== undefined && process.getuid?.() === 0 && hasProgram('apt-get')) {
    log(`installing ${PACKAGES.join(' and ')} with apt-get (95 MB to download, 400 MB on disk)`);
    install();
    missing = missingTool();
  }
  if (missing !== undefined) {
    throw new CommandError(
      `${missing} is not installed. Debian and Ubuntu: sudo apt-get install ${PACKAGES.join(' ')}. ` +
        'Elsewhere, with https://opam.ocaml.org: opam install coq.8.16.1 zarith ocamlfind',
    );
  }
  const { stdout } = spawnSync('coqc', ['--print-version'], { encoding: 'utf8' });
  return stdout.split(' ')[0] ?? '';
}

function missingTool(): string | undefined {
  if (!hasProgram('coqc')) return 'coqc';
  if (!hasProgram('ocamlfind')) return 'ocamlfind';
  const folder = spawnSync('ocamlfind', ['query', 'zarith'], { encoding: 'utf8' }).stdout.trim();
  return existsSync(join(folder, 'zarith.cmxa')) ? undefined : "OCaml's library zarith";
}

function hasProgram(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

function install(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES],
  ]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new CommandError(`apt-get ${args[0]} failed: ${stderr.trim()}`);
  }
}
