/** What else plays on an altered curve that the fuzzer takes for the shipped one. */
import { join } from 'node:path';
import { CommandError } from '../command-line.js';
import { ORACLE, ROOT } from '../program/paths.js';
import { buildForDifferential } from '../program/toolchain.js';
import { run } from '../prove/run.js';
import { failuresIn } from '../test/counts.js';
import { PROGRAM_TESTS } from '../test/files.js';

export interface Noticed {
  readonly end: 'differential' | 'tests';
  /** What it said, shortened. */
  readonly by: string;
}

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
    const compared = await run('tsx', [comparison, ...given], ROOT);
    if (compared.code !== 0) return { end: 'differential', by: lastOf(compared.output) };
    const tested = await run('mocha', ['--bail', ...PROGRAM_TESTS], ROOT, { CURVE_SO: file });
    if (tested.code === 0) return undefined;
    return { end: 'tests', by: shortened(failuresIn(tested.output).join(' ')) };
  }
}

function lastOf(output: string): string {
  const failure = output.slice(Math.max(output.lastIndexOf('failed: '), 0));
  return shortened(failure);
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
}
