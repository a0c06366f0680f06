/** What else plays on an altered curve that the fuzzer takes for the shipped one. */
import { CommandError } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { buildForDifferential } from '../program/toolchain.js';
import { run } from '../prove/run.js';
import { failuresIn } from '../test/outcome.js';
import { PROGRAM_TESTS } from '../test/suites.js';

export interface Noticed {
  readonly end: 'differential' | 'tests';
  /** What it said, shortened. */
  readonly by: string;
}

/** Programs that are called, and cheat. */
const CHEATING_TESTS = ['tests/fuzz/cheating-token.test.ts'];
const COMPARISON = 'tests/differential/differential.test.ts';
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
    const steps = { CURVE_SO: file, DIFFERENTIAL_STEPS: String(this.steps) };
    const compared = await run('mocha', ['--bail', COMPARISON, '-g', 'both give the same'], ROOT, steps);
    if (compared.code !== 0)
      return { end: 'differential', by: shortened(failuresIn(compared.output).join(' ')) };
    const tested = await run('mocha', ['--bail', ...PROGRAM_TESTS, ...CHEATING_TESTS], ROOT, {
      CURVE_SO: file,
    });
    if (tested.code === 0) return undefined;
    return { end: 'tests', by: shortened(failuresIn(tested.output).join(' ')) };
  }
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
}
