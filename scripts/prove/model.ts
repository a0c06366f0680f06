/** The model that Coq extracts, compiled by OCaml, and the programs whose results it repeats. */
import { copyFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { CommandError } from '../command-line.js';
import { PROOFS } from './paths.js';
import { run } from './run.js';
import { TARGET } from './translation.js';

const COMPARE = 'compare';

export async function buildModel(folder: string): Promise<void> {
  copyFileSync(join(PROOFS, 'model', 'compare.ml'), join(folder, 'compare.ml'));
  const files = ['model.mli', 'model.ml', 'compare.ml'];
  // Extracted code has warnings.
  const args = ['ocamlopt', '-w', '-a', '-package', 'zarith', '-linkpkg', ...files, '-o', COMPARE];
  const { code, output } = await run('ocamlfind', args, folder);
  if (code !== 0) throw new CommandError(`OCaml refuses the extracted model:\n${output}`);
}

/** Random calls of the Rust, which the model repeats. Returns its summary. @throws CommandError with the first that differ */
export async function compareRust(
  folder: string,
  program: 'trades' | 'graduations',
  count: number,
  seed: number,
): Promise<string> {
  const made = spawn(join(TARGET, program), [String(count), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(made, 'close') as Promise<[number | null]>;
  const [summary, [code]] = await Promise.all([compareCalls(folder, made.stdout), ended]);
  if (code !== 0) throw new CommandError(`${program} ended with ${code}`);
  return summary;
}

/** @throws CommandError with the first calls that differ */
export async function compareCalls(folder: string, calls: Readable): Promise<string> {
  const child = spawn(join(folder, COMPARE), [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [output, [code]] = await Promise.all([text(child.stdout), ended, pipeline(calls, child.stdin)]);
  const lines = output.trim().split('\n');
  if (code !== 0) throw new CommandError(`the model and the code differ:\n${lines.join('\n')}`);
  return lines.at(-1) ?? '';
}
