/** The mutants of the programs, as cargo-mutants finds them. */
import { CommandError } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { run } from '../prove/run.js';

interface Place {
  /** From 1, like `column`. */
  readonly line: number;
  readonly column: number;
}

export interface Mutant {
  /** Where and what, in one line. */
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly span: { readonly start: Place; readonly end: Place };
  readonly replacement: string;
}

/** The crate that both programs are built from. */
export const INTERFACE = 'curvekit-interface';

/** @throws CommandError without cargo-mutants */
export async function listMutants(crate: string): Promise<Mutant[]> {
  const { code, output } = await run(
    'cargo',
    ['mutants', '--list', '--json', '--package', crate, '--no-config'],
    ROOT,
  );
  // Warnings follow the list.
  if (code === 0) return JSON.parse(output.slice(0, output.lastIndexOf(']') + 1)) as Mutant[];
  throw new CommandError(
    /no such command/.test(output)
      ? 'cargo-mutants is not installed: `cargo install cargo-mutants --locked`'
      : `cargo mutants --list: ${output.trim()}`,
  );
}

export function altered(source: string, { span, replacement }: Mutant): string {
  const at = ({ line, column }: Place): number => {
    const lines = source.split('\n').slice(0, line - 1);
    return lines.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  };
  return source.slice(0, at(span.start)) + replacement + source.slice(at(span.end));
}
