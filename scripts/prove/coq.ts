/** Checks the Coq files in the order of their imports. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../command-line.js';
import { COQ } from './paths.js';
import { run } from './run.js';

/** Statements that a proof follows. */
const STATEMENT = /^(Theorem|Corollary|Lemma|Example) (\w+)/;

/** The files that are not generated, by name. Rust.v, Rounding.v and so on. */
export function handWritten(): Map<string, string> {
  const names = readdirSync(COQ).filter((name) => name.endsWith('.v'));
  return new Map(names.map((name) => [name.slice(0, -2), readFileSync(join(COQ, name), 'utf8')]));
}

function importsOf(text: string, files: ReadonlyMap<string, string>): string[] {
  const lines = text.matchAll(/^Require(?: Import)? ([\w ]+)\.$/gm);
  return [...lines].flatMap(([, names]) => names!.split(' ')).filter((name) => files.has(name));
}

/** A file and those that it imports, also through others. */
export function withImports(files: ReadonlyMap<string, string>, name: string): string[] {
  const imports = importsOf(files.get(name) ?? '', files);
  return [...new Set([...imports.flatMap((other) => withImports(files, other)), name])];
}

/**
 * Compiles files in a folder that has them, `jobs` at a time. A file waits for its imports.
 *
 * @param wanted the files to compile; the folder has the compiled others
 * @throws CommandError that names the first theorem whose proof fails
 */
export async function checkFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  wanted: readonly string[],
  jobs: number,
): Promise<void> {
  const waiting = new Set(wanted);
  const running = new Map<string, Promise<string>>();
  while (waiting.size > 0 || running.size > 0) {
    for (const name of waiting) {
      const imports = importsOf(files.get(name) ?? '', files);
      const isReady = imports.every((other) => !waiting.has(other) && !running.has(other));
      if (!isReady || running.size >= jobs) continue;
      waiting.delete(name);
      running.set(
        name,
        compile(folder, name, files.get(name) ?? '').then(() => name),
      );
    }
    if (running.size === 0) throw new Error(`imports in a circle: ${[...waiting].join(', ')}`);
    try {
      running.delete(await Promise.race(running.values()));
    } catch (error) {
      await Promise.allSettled(running.values());
      throw error;
    }
  }
}

/** Some files as one, the first of them as a module: starting Coq takes longer than most files. */
export function together(files: ReadonlyMap<string, string>, names: readonly string[]): string {
  const texts = names.map((name) => files.get(name) ?? '');
  const required = texts.flatMap((text) => [...text.matchAll(/^(?:From Coq )?Require.*\.$/gm)].map(String));
  const others = required.flatMap((line) => (line.startsWith('From') ? line : othersOf(line, names)));
  const [first = '', ...rest] = texts.map((text) => text.replaceAll(/^(?:From Coq )?Require.*\.$/gm, ''));
  const isImported = !rest.some((_, index) => texts[index + 1]!.includes(`Require ${names[0]}.`));
  const module = `Module ${names[0]}.\n${first}\nEnd ${names[0]}.\n${isImported ? `Import ${names[0]}.\n` : ''}`;
  return [...new Set(others), module, ...rest].join('\n');
}

function othersOf(line: string, names: readonly string[]): string[] {
  const [, how, listed] = /^(Require(?: Import)?) (.+)\.$/.exec(line) ?? [];
  const others = listed?.split(' ').filter((name) => !names.includes(name)) ?? [];
  return others.length > 0 ? [`${how} ${others.join(' ')}.`] : [];
}

async function compile(folder: string, name: string, text: string): Promise<void> {
  const { code, output } = await run('coqc', ['-q', `${name}.v`], folder);
  if (code !== 0) throw new CommandError(explain(name, text, output));
}

/** Names the theorem, because Coq names only the line of the temporary copy. */
function explain(name: string, text: string, output: string): string {
  const line = Number(/^File ".*", line (\d+)/m.exec(output)?.[1] ?? 1);
  const before = text.split('\n').slice(0, line).reverse();
  const found = before.map((candidate) => STATEMENT.exec(candidate)).find((match) => match !== null);
  const what = found ? `${found[1]} ${found[2]} is not proved` : 'is refused';
  return `proofs/coq/${name}.v:${line}: ${what}\n${output.trim()}`;
}

/** Every theorem of the files, as `File.name`. */
export function theoremsOf(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) =>
    [...text.matchAll(new RegExp(STATEMENT, 'gm'))]
      .filter(([, kind]) => kind !== 'Lemma')
      .map(([, , name]) => `${file}.${name}`),
  );
}

/** A file whose compilation prints the axioms of all theorems. */
export function assumptionsFile(theorems: readonly string[]): string {
  const files = [...new Set(theorems.map((name) => name.split('.')[0]!))];
  const all = theorems.map((name) => `@${name}`).join(', ');
  return `Require ${files.join(' ')}.\nDefinition all := (${all}).\nPrint Assumptions all.\n`;
}

/** @throws CommandError when a theorem depends on an axiom or on a proof that was left out */
export async function checkAssumptions(folder: string): Promise<void> {
  const { code, output } = await run('coqc', ['-q', 'Assumptions.v'], folder);
  if (code !== 0) throw new CommandError(explain('Assumptions', '', output));
  if (output.trim() !== 'Closed under the global context')
    throw new CommandError(`the theorems assume what is not proved:\n${output.trim()}`);
}
