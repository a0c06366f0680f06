/** Which Rust files are translated, and their translations. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../command-line.js';
import { GENERATED, MANIFEST, PROOFS, ROOT } from './paths.js';
import { run } from './run.js';

const CURVE = 'programs/bonding-curve/src';
const GRADUATION = 'programs/graduation/src';

export interface Translation {
  /** The Coq file, without its extension. */
  readonly coq: 'Curve' | 'Properties' | 'Split';
  readonly source: string;
  /** The enum of the errors in the source. */
  readonly error: string;
  /** Files of the same crate that the source imports from, by module. */
  readonly from: Readonly<Record<string, string>>;
  /** Its pure arithmetic, where the file has more than that. */
  readonly only?: readonly string[];
}

export const TRANSLATIONS: readonly Translation[] = [
  {
    coq: 'Curve',
    source: `${CURVE}/curve.rs`,
    error: 'TradeError',
    from: { constants: `${CURVE}/constants.rs` },
  },
  {
    coq: 'Properties',
    source: `${CURVE}/state/properties.rs`,
    error: 'BondingCurveError',
    from: {
      constants: `${CURVE}/constants.rs`,
      error: `${CURVE}/error.rs`,
      curve: `${CURVE}/curve.rs`,
    },
    only: ['Properties', 'Properties::INITIALIZED', 'Properties::invariant'],
  },
  {
    coq: 'Split',
    source: `${GRADUATION}/instructions/graduate/split.rs`,
    error: 'GraduationError',
    from: {
      constants: `${GRADUATION}/constants.rs`,
      error: `${GRADUATION}/error.rs`,
      refusal: `${GRADUATION}/refusal.rs`,
    },
  },
];

export const TARGET = join(PROOFS, 'target', 'debug');

/** Builds the translator and the programs that make the vectors. */
export async function buildPrograms(): Promise<void> {
  const { code, output } = await run(
    'cargo',
    ['build', '--quiet', '--locked', '--manifest-path', MANIFEST, '--target-dir', join(PROOFS, 'target')],
    ROOT,
  );
  if (code !== 0) throw new CommandError(`cargo build failed:\n${output}`);
}

/** @throws CommandError for what the translator does not know */
export async function translate({ source, error, from, only = [] }: Translation): Promise<string> {
  const translated = await tryTranslate(source, { error, from, only });
  if (translated.code !== 0) throw new CommandError(translated.output.trim());
  return translated.output;
}

/** @param source the file to translate, which may be an altered copy */
export function tryTranslate(
  source: string,
  { error, from, only = [] }: Pick<Translation, 'error' | 'from' | 'only'>,
): ReturnType<typeof run> {
  const args = [source, '--error', error];
  for (const [module, file] of Object.entries(from)) args.push('--from', `${module}=${file}`);
  for (const item of only) args.push('--only', item);
  return run(join(TARGET, 'translator'), args, ROOT);
}

const committedPath = ({ coq }: Translation): string => join(GENERATED, `${coq}.v`);

/** The committed translation, or an empty text. */
export function committed(translation: Translation): string {
  try {
    return readFileSync(committedPath(translation), 'utf8');
  } catch {
    return '';
  }
}

export function commit(translation: Translation, text: string): void {
  writeFileSync(committedPath(translation), text);
}
