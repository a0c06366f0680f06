/** What else plays on an altered curve that the fuzzer takes for the shipped one. */
import { join } from 'node:path';
import { CommandError } from '../command-line.js';
import { ORACLE, ROOT } from '../program/paths.js';
import { buildForDifferential } from '../program/toolchain.js';
import { run, type Ran } from '../prove/run.js';
import { failuresIn } from '../test/outcome.js';
import { PROGRAM_TESTS } from '../test/suites.js';

export interface Noticed {
  readonly end: 'differential' | 'tests';
  /** What it said, shortened. */
  readonly by: string;
}

/** Programs that are called, and cheat. */
const CHEATING_TESTS = ['tests/fuzz/cheating-token.test.ts'];
const SEED = '2026';
const LONGEST_TEXT = 300;

/** The comparison with the reference build, and the program's tests on a local cluster. */
export class CurveTests {
  #ready: Promise<void> | undefined;

  /** @param steps random steps of the comparison */
  constructor(private readonly steps: number) {}

  /** @param original the program that the sources make */
  async notice(file: string, original: string): Promise<Noticed | undefined> {
    this.#ready ??= this.#prepare(original);
    await this.#ready;
    return this.#played(file);
  }

  /** Builds the reference. What fails on the unaltered program too says nothing about an alteration. */
  async #prepare(original: string): Promise<void> {
    buildForDifferential('oracle', (line) => console.error(line));
    const noticed = await this.#played(original);
    if (noticed !== undefined) throw new CommandError(`the unaltered program fails: ${noticed.by}`);
  }

  async #played(file: string): Promise<Noticed | undefined> {
    const comparison = join(ROOT, 'tests', 'differential', 'main.ts');
    const given = ['--steps', String(this.steps), '--seed', SEED, '--shipped', file, '--oracle', ORACLE];
    const compared = await compare(() => run('tsx', [comparison, ...given], ROOT));
    if (compared !== undefined) return { end: 'differential', by: shortened(compared) };
    const tested = await run('mocha', ['--bail', ...PROGRAM_TESTS, ...CHEATING_TESTS], ROOT, {
      CURVE_SO: file,
    });
    if (tested.code === 0) return undefined;
    return { end: 'tests', by: shortened(failuresIn(tested.output).join(' ')) };
  }
}

/** What differs. A run that fails in another way, as when another lane builds the same program, is repeated. */
async function compare(play: () => Promise<Ran>, tries = 2): Promise<string | undefined> {
  const { code, output } = await play();
  if (code === 0) return undefined;
  const at = output.lastIndexOf('The two builds differ');
  if (at !== -1) return output.slice(at);
  if (tries === 1) throw new CommandError(`the comparison fails: ${shortened(output.slice(-LONGEST_TEXT))}`);
  return compare(play, tries - 1);
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
}
