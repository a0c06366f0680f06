/** The mutants of the service's money code, as Stryker finds them. One copy of the sources has all of them, each behind a switch. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import ts from 'typescript';
import { ROOT } from '../../program/paths.js';
import { sha256 } from '../../sha256.js';

/** Folders of `app/src` whose sources are altered. */
export const FOLDERS = ['claims', 'ledger', 'graduation/settlement'] as const;

/** What a run keeps for the next one. */
export const KEPT = join(ROOT, 'target', 'mutants', 'service');

interface Place {
  /** From 0, like `column`. */
  readonly line: number;
  readonly column: number;
}

/** One alteration of a source. */
export interface Mutant {
  /** The value of the variable that switches it on. */
  readonly id: string;
  /** Where and what, in one line. */
  readonly name: string;
  /** The same as long as the function around it stays as it is, wherever that stands. */
  readonly key: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly start: Place;
  readonly end: Place;
  readonly replacement: string;
}

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** Hash of the altered copy. */
  readonly hash: string;
}

/** Messages, names and help. A test that repeats every text finds no wrong amount. */
const EXCLUDED = ['StringLiteral'];

const LONGEST_TEXT = 70;
const KEY_DIGITS = 16;

/** Writes the altered copy into `KEPT`, from where `load-instrumented.mjs` takes it. */
export async function instrument(): Promise<Instrumented> {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, 'app', 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `app/src/${folder}/${name}`),
  );
  const sources = new Map(names.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]));
  const { files, mutants } = await new Instrumenter(QUIET).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { excludedMutations: EXCLUDED, ignorers: [], plugins: null },
  );
  const copy = join(KEPT, 'sources');
  rmSync(copy, { recursive: true, force: true });
  for (const { name, content } of files) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), content);
  }
  const named = mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName: file, mutatorName, location: { start, end }, replacement }) => {
      const source = sources.get(file)!;
      const original = textBetween(source, start, end);
      const what = `${mutatorName}: ${oneLine(original)} => ${oneLine(replacement)}`;
      return {
        id,
        file,
        start,
        end,
        replacement,
        key: keyOf(file, source, offset(source, start), what),
        name: `${file}:${start.line + 1}:${start.column + 1} ${what}`,
      };
    });
  return { mutants: named, hash: sha256(Buffer.from(files.map(({ content }) => content).join('\0'))) };
}

/** The source with the alteration. */
export function altered(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, offset(source, start)) + replacement + source.slice(offset(source, end));
}

/** Of the class member or statement around the place, the distance into it, and the alteration. */
export function keyOf(file: string, source: string, at: number, what: string): string {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const around = (nodes: ts.NodeArray<ts.Node>): ts.Node | undefined =>
    nodes.find((node) => node.pos <= at && at < node.end);
  const statement = around(tree.statements) ?? tree;
  const unit = ts.isClassDeclaration(statement) ? (around(statement.members) ?? statement) : statement;
  const parts = [unit.getText(tree), at - unit.getStart(tree), what];
  return sha256(Buffer.from(JSON.stringify(parts))).slice(0, KEY_DIGITS);
}

function textBetween(source: string, start: Place, end: Place): string {
  return source.slice(offset(source, start), offset(source, end));
}

function offset(source: string, { line, column }: Place): number {
  const before = source.split('\n').slice(0, line);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}

const nothing = (): void => undefined;
const never = (): boolean => false;
const QUIET = {
  ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing },
  ...{ isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never },
  ...{ isWarnEnabled: never, isErrorEnabled: never, isFatalEnabled: never },
};
