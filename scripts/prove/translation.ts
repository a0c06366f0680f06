/** Which Rust files are translated, and their translations. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../command-line.js';
import { GENERATED, MANIFEST, PROOFS, ROOT } from './paths.js';
import { run } from './run.js';

const INTERFACE = 'programs/interface/src';
const GRADUATION = 'programs/graduation/src';

export interface Translation {
  /** The Coq file, without its extension. */
  readonly coq: 'Curve' | 'Settings' | 'Split' | 'Inverse';
  readonly source: string;
  /** The enum of the errors in the source. */
  readonly error: string;
  /** Files that the source imports from, of its own crate or of the interface, by module. */
  readonly from: Readonly<Record<string, string>>;
}

export const TRANSLATIONS: readonly Translation[] = [
  {
    coq: 'Curve',
    source: `${INTERFACE}/curve.rs`,
    error: 'TradeError',
    from: { constants: `${INTERFACE}/constants.rs` },
  },
  {
    coq: 'Settings',
    source: `${INTERFACE}/settings.rs`,
    error: 'TradeError',
    from: { constants: `${INTERFACE}/constants.rs`, curve: `${INTERFACE}/curve.rs` },
  },
  {
    coq: 'Split',
    source: `${GRADUATION}/instructions/graduate/split.rs`,
    error: 'GraduationError',
    from: {
      constants: `${INTERFACE}/constants.rs`,
      error: `${GRADUATION}/error.rs`,
      refusal: `${GRADUATION}/refusal.rs`,
    },
  },
  {
    coq: 'Inverse',
    source: 'crates/curvekit-client/src/inverse.rs',
    error: 'TradeError',
    from: { constants: `${INTERFACE}/constants.rs`, curve: `${INTERFACE}/curve.rs` },
  },
];

export const TARGET = join(PROOFS, 'target', 'debug');

export async function buildPrograms(): Promise<void> {
  const { code, output } = await run(
    'cargo',
    ['build', '--quiet', '--locked', '--manifest-path', MANIFEST, '--target-dir', join(PROOFS, 'target')],
    ROOT,
  );
  if (code !== 0) throw new CommandError(`cargo build failed:\n${output}`);
}

/** @throws CommandError for what the translator does not know */
export async function translate({ source, error, from }: Translation): Promise<string> {
  const translated = await tryTranslate(source, { error, from });
  if (translated.code !== 0) throw new CommandError(translated.output.trim());
  return translated.output;
}

/** @param source the file to translate, which may be an altered copy */
export function tryTranslate(
  source: string,
  { error, from }: Pick<Translation, 'error' | 'from'>,
): ReturnType<typeof run> {
  const args = [source, '--error', error];
  for (const [module, file] of Object.entries(from)) args.push('--from', `${module}=${file}`);
  return run(join(TARGET, 'translator'), args, ROOT);
}

const committedPath = ({ coq }: Translation): string => join(GENERATED, `${coq}.v`);

/** The committed translation, or an empty text. */
function committed(translation: Translation): string {
  try {
    return readFileSync(committedPath(translation), 'utf8');
  } catch {
    return '';
  }
}

/** @throws CommandError that names the committed translations which are not these */
export function requireCommitted(translated: ReadonlyMap<string, string>): void {
  const outdated = TRANSLATIONS.filter(
    (translation) => committed(translation) !== translated.get(translation.coq),
  );
  if (outdated.length === 0) return;
  const names = outdated.map(({ coq }) => `${coq}.v`).join(', ');
  throw new CommandError(
    `the proofs hold, but ${names} in proofs/coq/generated is not the translation of today's sources: ` +
      'run `npm run prove -- --write` and commit it',
  );
}

export function commit(translation: Translation, text: string): void {
  writeFileSync(committedPath(translation), text);
}
