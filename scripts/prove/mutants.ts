/** Mutation run: every altered source must break a proof. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../command-line.js';
import { checkFiles, together } from './coq.js';
import { equivalence } from './equivalent.js';
import { mutantsOf, type Mutant } from './mutations.js';
import { ROOT } from './paths.js';
import { inParallel } from './run.js';
import { TRANSLATIONS, tryTranslate, type Translation } from './translation.js';

/** The files that tie each translation to its specification. The other theorems follow from these. */
const CHECKED: Readonly<Record<Translation['coq'], readonly string[]>> = {
  Curve: ['Curve', 'Spec', 'Helpers', 'Exact'],
  Settings: ['Settings', 'Accepted'],
  Split: ['Split', 'Graduation'],
  Inverse: ['Inverse', 'Quotes'],
};

/**
 * @param folder the compiled proofs of the sources as they are
 * @param report one line for each mutant, then a summary
 * @returns how many the proofs do not notice, without those that compute the same
 */
export async function runMutants(
  folder: string,
  files: ReadonlyMap<string, string>,
  jobs: number,
  report: (line: string) => void,
): Promise<number> {
  const all = TRANSLATIONS.flatMap((translation) => {
    const source = readFileSync(join(ROOT, translation.source), 'utf8');
    return mutantsOf(source).map((mutant) => ({ translation, mutant }));
  });
  const counts = { proof: 0, refused: 0, equivalent: 0, survived: 0 };
  await inParallel(all, jobs, async ({ translation, mutant }) => {
    const outcome = await tryMutant(folder, files, translation, mutant);
    counts[outcome.end]++;
    report(`${outcome.end.padEnd(10)} ${translation.coq}:${mutant.name}\n           ${outcome.why}`);
  });
  report(
    `${all.length} mutants: ${counts.proof} break a proof, ${counts.refused} are refused by the translator, ` +
      `${counts.equivalent} compute the same, ${counts.survived} are not noticed`,
  );
  return counts.survived;
}

interface Outcome {
  readonly end: 'proof' | 'refused' | 'equivalent' | 'survived';
  readonly why: string;
}

async function tryMutant(
  folder: string,
  files: ReadonlyMap<string, string>,
  translation: Translation,
  mutant: Mutant,
): Promise<Outcome> {
  const work = mkdtempSync(join(folder, 'mutant-'));
  try {
    const source = join(work, 'source.rs');
    writeFileSync(source, mutant.text);
    const { code, output } = await tryTranslate(source, translation);
    if (code !== 0) return { end: 'refused', why: firstLine(output.replace(`translator: ${source}: `, '')) };
    const altered = new Map(files).set(translation.coq, output);
    const checked = CHECKED[translation.coq];
    copyBut(folder, work, checked);
    const text = together(altered, checked);
    writeFileSync(join(work, 'Mutant.v'), text);
    await checkFiles(work, new Map([['Mutant', text]]), ['Mutant'], 1);
    const why = equivalence(translation.coq, mutant.name);
    return why === undefined ? { end: 'survived', why: 'every proof holds' } : { end: 'equivalent', why };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { end: 'proof', why: firstLine(error.message).replace(/^.*?: /, '') };
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The compiled files of what does not depend on the mutant, and what `lia` found before, which Coq checks again. */
function copyBut(from: string, to: string, checked: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from)) {
    const isCompiled = file.endsWith('.vo') && !checked.includes(file.slice(0, -3));
    if (isCompiled || file.endsWith('.cache')) copyFileSync(join(from, file), join(to, file));
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!.slice(0, 110);
}
