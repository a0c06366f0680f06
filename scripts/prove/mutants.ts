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
import { ROOT } from './paths.js';
import { inParallel } from './run.js';
import { type Translation, TRANSLATIONS, tryTranslate } from './translation.js';

interface Mutant {
  /** Line and alteration. */
  readonly name: string;
  readonly text: string;
}

/** What is altered into what. Each pattern is global; `$1` is its group. */
const RULES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bRounding::Down\b(?!( =>|,\n\s+Up))/g, ['Rounding::Up']],
  [/\bRounding::Up\b(?! =>)/g, ['Rounding::Down']],
  [/\bchecked_add\b/g, ['checked_sub']],
  [/\bchecked_sub\b/g, ['checked_add']],
  [/\bchecked_mul\b/g, ['checked_div', 'checked_add']],
  [/\bchecked_div\b/g, ['checked_mul']],
  [/\bsaturating_mul\b/g, ['saturating_add']],
  [/\bsaturating_add\b/g, ['saturating_mul']],
  [/\.div_ceil\((.+?)\)\)/g, ['.checked_div($1)).ok_or(TradeError::Logical)?']],
  [/ < /g, [' <= ', ' > ']],
  [/ <= /g, [' < ', ' >= ']],
  [/ > (?!=)/g, [' >= ', ' < ']],
  [/ >= /g, [' > ', ' <= ']],
  [/ == /g, [' > ', ' < ']],
  [/ && /g, [' || ']],
  [/ >> u16::BITS/g, ['']],
  [/\b0\b(?!_)/g, ['1']],
  [/\b1\b(?!_)/g, ['0', '2']],
  [/\.filter\([^)]*\)/g, ['']],
  [/\.min\(.+?\.into\(\)\)/g, ['']],
  [/\bTradeError::Logical\b/g, ['TradeError::Slippage']],
  [/\bTradeError::Slippage\b/g, ['TradeError::Logical']],
  [/\bGraduationError::TooLittleForPool\b/g, ['GraduationError::AmountOutOfRange']],
  [/ {4}if [^{]+\{\n\s+return Err\([^;]+;\n\s+\}\n/g, ['']],
  // One amount in the place of another.
  [/\bnet\b(?= ?[,)])/g, ['fee', 'sol_to_spend']],
  [/\bfee\b(?= ?[,)])/g, ['net', 'gross']],
  [/\bgross\b(?= ?[,)])/g, ['sol_out', 'token_to_spend']],
  [/\bsol_to_spend\b(?= ?[,)])/g, ['net', 'min_token_out']],
  [/\btoken_to_spend\b(?= ?[,)])/g, ['min_sol_out']],
  [/\bavailable\b(?= ?[,)])/g, ['token_out']],
  [/\btoken_out\b(?= ?[,)])/g, ['available', 'net']],
  [/\bsol_in\b(?= ?[,)])/g, ['net', 'sol_to_spend']],
  [/\bmin_token_out\b(?= ?[,)])/g, ['token_out']],
  [/\bvirtual_token\b(?= ?[,)])/g, ['reserves.virtual_token']],
  [/(?<=reserves\.)virtual_sol\b/g, ['virtual_token']],
  [/(?<=reserves\.)virtual_token\b/g, ['virtual_sol']],
  [/\bkept\b(?= ?[,)])/g, ['BASIS_POINTS']],
  [/\bcommunity_sol\b(?= ?[,)])/g, ['costs']],
  [/\bcommunity_token\b(?= ?[,)])/g, ['community_sol']],
  [/\bpool_token\b(?= ?[,)])/g, ['left']],
  [/\bpool_sol\b(?= ?,)/g, ['migration.sol']],
  [/(?<=migration\.)sol\b/g, ['token']],
  [/(?<=migration\.)token\b/g, ['sol']],
  [/(?<=storages\.)wsol\b/g, ['token']],
  [/(?<=storages\.)token\b/g, ['wsol']],
  [/(?<=terms\.)virtual_sol\b/g, ['virtual_token']],
  [/(?<=terms\.)virtual_token\b/g, ['virtual_sol']],
  [/\binitial_virtual_sol\b(?= ?[,)<>])/g, ['initial_virtual_token']],
  [/\binitial_virtual_token\b(?= ?[,)<>])/g, ['initial_virtual_sol']],
];

/** Where the code ends and the tests begin. */
const TESTS = '#[cfg(test)]\nmod tests {';

/** Every alteration of the functions in a source, without its comments, imports and tests. */
function mutantsOf(source: string): Mutant[] {
  const first = source.search(/^(pub )?fn |^ +pub fn /m);
  const last = source.indexOf(TESTS);
  const end = last === -1 ? source.length : last;
  const mutants: Mutant[] = [];
  for (const [pattern, replacements] of RULES) {
    for (const match of source.matchAll(pattern)) {
      const { index } = match;
      const line = source.slice(source.lastIndexOf('\n', index) + 1, source.indexOf('\n', index));
      const isSignature = /^\s*(pub )?(pub\(crate\) )?(fn|use|const|struct|\/\/)/.test(line);
      if (index < first || index >= end || isSignature) continue;
      const column = index - source.lastIndexOf('\n', index) - 1;
      // The names that a `let` gives are not values.
      if (/^\s*let \(/.test(line) && column < line.indexOf('=')) continue;
      const isShorthand = line.trim() === `${match[0]},` || /^\s*Ok\(Self \{/.test(line);
      for (const replacement of replacements) {
        const to = (isShorthand ? `${match[0]}: ` : '') + replacement.replace('$1', match[1] ?? '');
        const text = source.slice(0, index) + to + source.slice(index + match[0].length);
        const number = source.slice(0, index).split('\n').length;
        const from = match[0].trim().split('\n')[0]!;
        mutants.push({ name: `${number}: ${from} -> ${to.trim() || 'nothing'} in ${line.trim()}`, text });
      }
    }
  }
  return mutants.filter(({ text }) => text !== source);
}

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

// Mutants that no proof can notice: for every curve that can be, they compute the same as the source.
interface Equivalent {
  readonly coq: Translation['coq'];
  /** The alteration, and how the altered line begins. */
  readonly alteration: string;
  readonly line: string;
  readonly why: string;
}

/** The error of an operation that never fails. That it does not is part of the proof in `Exact.v`. */
const neverFails = (line: string, why: string): Equivalent => ({
  coq: 'Curve',
  alteration: 'TradeError::Logical -> TradeError::Slippage',
  line,
  why: `never fails: ${why}`,
});

const EQUIVALENTS: readonly Equivalent[] = [
  neverFails('let available =', 'a curve has at least its graduation reserve'),
  neverFails('let net = sol_to_spend', 'the fee is at most the amount'),
  neverFails('let sol_in =', 'the last tokens cost at most what the buyer spends (clip_charge)'),
  neverFails(
    'virtual_token: reserves.virtual_token.checked_sub(token_out)',
    'a buy leaves the graduation reserve',
  ),
  neverFails('let sol_out =', 'the fee is at most the amount'),
  neverFails('virtual_sol: reserves.virtual_sol.checked_sub(gross)', 'a sale pays out less than the reserve'),
  neverFails('let virtual_sol = u128', 'the sum of two u64 fits u128'),
  neverFails('let left =', 'what is left of the tokens is the graduation reserve'),
  neverFails('let kept =', 'the fee is less than a whole'),
  neverFails('let most_remainder =', 'no divisor is 0'),
  neverFails('let quotient =', 'no divisor is 0'),
  neverFails('Rounding::Up => product(a, b)', 'the product of two u64 and a u64 fit u128'),
  {
    coq: 'Curve',
    alteration: '.filter(|sol_in| *sol_in <= sol_to_spend) -> nothing',
    line: 'let sol_in =',
    why: 'the last tokens cost at most what the buyer spends (clip_charge)',
  },
];

/** Why a mutant computes the same, if it is known to. */
function equivalence(coq: Translation['coq'], mutant: string): string | undefined {
  const known = EQUIVALENTS.find(
    (one) => one.coq === coq && mutant.includes(`: ${one.alteration} in ${one.line}`),
  );
  return known?.why;
}
