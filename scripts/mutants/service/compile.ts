/** Which mutants the compiler refuses. That takes 0.1 s for one, and a test takes ten. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../program/paths.js';
import { altered, type Mutant } from './instrument.js';

/** One program of the compiler checks so many. It keeps them in memory. */
const AT_ONCE = 250;

/** @returns the ids of those that do not compile */
export function refusedByCompiler(mutants: readonly Mutant[]): ReadonlySet<string> {
  const compiler = new Compiler();
  const refused = new Set<string>();
  for (let at = 0; at < mutants.length; at += AT_ONCE)
    for (const id of compiler.refused(mutants.slice(at, at + AT_ONCE))) refused.add(id);
  return refused;
}

class Compiler {
  readonly #options: ts.CompilerOptions;
  readonly #unaltered = new Map<string, ts.SourceFile>();

  constructor() {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: unknown;
    };
    this.#options = {
      ...ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options,
      // An alteration that leaves a name unused changes the behaviour all the same.
      noUnusedLocals: false,
      noUnusedParameters: false,
    };
  }

  /** Each alteration is in a copy of its file, beside the file, so one program checks many. */
  refused(mutants: readonly Mutant[]): string[] {
    const copies = new Map<string, string>();
    const beside = (file: string, name: string): string => join(ROOT, dirname(file), `${name}.mutant.ts`);
    const original = (file: string): string => beside(file, `${file.replaceAll(/\W/g, '-')}-unaltered`);
    for (const mutant of mutants) {
      const source = readFileSync(join(ROOT, mutant.file), 'utf8');
      copies.set(original(mutant.file), source);
      copies.set(beside(mutant.file, mutant.id), altered(source, mutant));
    }
    const program = ts.createProgram([...copies.keys()], this.#options, this.#host(copies));
    const problems = (path: string): string[] => {
      const file = program.getSourceFile(path)!;
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
        ({ code, messageText }) => `${code} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
    };
    // A copy of a class with private fields is another class, so even an unaltered copy can have errors.
    const usual = new Map<string, readonly string[]>();
    return mutants
      .filter(({ id, file }) => {
        if (!usual.has(file)) usual.set(file, problems(original(file)));
        return problems(beside(file, id)).some((problem) => !usual.get(file)!.includes(problem));
      })
      .map(({ id }) => id);
  }

  #host(copies: ReadonlyMap<string, string>): ts.CompilerHost {
    const host = ts.createCompilerHost(this.#options);
    return {
      ...host,
      fileExists: (path) => copies.has(path) || host.fileExists(path),
      readFile: (path) => copies.get(path) ?? host.readFile(path),
      getSourceFile: (path, how) => {
        const copy = copies.get(path);
        if (copy !== undefined) return ts.createSourceFile(path, copy, how, true);
        const known = this.#unaltered.get(path) ?? host.getSourceFile(path, how);
        if (known !== undefined) this.#unaltered.set(path, known);
        return known;
      },
    };
  }
}
