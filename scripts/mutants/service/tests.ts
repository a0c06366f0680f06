/** The tests that can notice a mutant, in the order in which they run. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../program/paths.js';
import { inParallel } from '../../prove/run.js';
import { sha256 } from '../../sha256.js';
import { KEPT, type Instrumented, type Mutant } from './instrument.js';
import { runTests } from './run-tests.js';

/** Folders of tests, and files outside of them. */
const OTHERS = ['operator/doctor-treasury', 'http/log-floods', 'http/logged-errors', 'chain/simulator'];
const SUBJECTS = [
  'claims/',
  'ledger/',
  'reconciliation/',
  'graduation/settlement/',
  'partners/referrals',
  ...OTHERS,
];

/** They take minutes: processes are killed again and again, or hundreds of pages are read. */
const LONG = [
  ...['claims/crash', 'reconciliation/failover', 'claims/rewards/pages'],
  ...['graduation/settlement/attacks', 'graduation/settlement/crash'],
].map((name) => `${name}.test.ts`);

/** The longest time without a test's end in an unaltered run may be so many times as long. */
const SLOWER = 4;
const LEAST_SILENCE_S = 60;

function testFiles(): string[] {
  return readdirSync(join(ROOT, 'tests/service'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.test.ts') && SUBJECTS.some((subject) => name.startsWith(subject)))
    .filter((name) => !LONG.includes(name))
    .map((name) => `tests/service/${name}`);
}

/** What one test file does on the unaltered sources. */
interface Reach {
  /** Hash of the altered copy and of the test file. */
  readonly of: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly silence: number;
  /** Ids of the mutants that its tests run. */
  readonly hits: readonly string[];
  /** Ids of the mutants that only loading it runs. */
  readonly loaded: readonly string[];
}

interface Test extends Reach {
  readonly file: string;
}

export interface Plan {
  /** None when no test runs the mutant. */
  readonly files: readonly string[];
  /** Seconds without a test's end after which the mutant hangs. */
  readonly silence: number;
}

/** Chooses the test files for each mutant. */
export class Tests {
  readonly #tests: readonly Test[];
  /** By source, the test file that has noticed the last mutant: its neighbours are often noticed by the same. */
  readonly #last = new Map<string, string>();
  /** Of the mutants, by id. */
  readonly #folders: ReadonlyMap<string, string>;

  private constructor(tests: readonly Test[], mutants: readonly Mutant[]) {
    this.#folders = new Map(mutants.map(({ id, file }) => [id, dirname(file)]));
    // A test file that runs few places asks more about each.
    const order = ({ seconds, hits }: Test): number => seconds * hits.length;
    this.#tests = [...tests].sort((a, b) => order(a) - order(b));
  }

  /** Runs each test file once on the unaltered sources, unless an earlier run has. */
  static async of({ hash, mutants }: Instrumented, jobs: number): Promise<Tests> {
    const kept = join(KEPT, 'tests.json');
    const known = new Map(
      existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as [string, Reach][]) : [],
    );
    const files = testFiles();
    const keyOf = (file: string): string =>
      sha256(Buffer.concat([Buffer.from(hash), readFileSync(join(ROOT, file))]));
    const unknown = files.filter((file) => known.get(file)?.of !== keyOf(file));
    await inParallel(unknown, jobs, async (file) => {
      const { end, seconds, silence, hits, loaded } = await runTests([file], { silence: 300 });
      known.set(file, { of: keyOf(file), passed: end === 'passed', seconds, silence, hits, loaded });
      mkdirSync(KEPT, { recursive: true });
      writeFileSync(kept, JSON.stringify([...known]));
      console.error(`${file}: ${end} in ${seconds.toFixed(1)} s, runs ${hits.length} places`);
    });
    const tests = files.map((file) => ({ file, ...known.get(file)! }));
    const failed = tests.filter(({ passed }) => !passed);
    for (const { file } of failed)
      console.error(`left out, because it fails on the unaltered sources: ${file}`);
    return new Tests(
      tests.filter(({ passed }) => passed),
      mutants,
    );
  }

  /** @param budget seconds that the files may take together; the first one may take longer */
  plan({ id, file }: Mutant, budget: number): Plan {
    let tests: readonly Test[] = this.#tests.filter(({ hits }) => hits.includes(id));
    // A constant is only run while its file is loaded, by tests of other things too.
    if (tests.length === 0) tests = this.#mostOf(file, (test) => test.loaded.includes(id));
    const last = tests.find((test) => test.file === this.#last.get(file));
    if (last !== undefined) tests = [last, ...tests.filter((test) => test !== last)];
    let sum = 0;
    const chosen = tests.filter(({ seconds }, index) => (sum += seconds) <= budget || index === 0);
    const silence = Math.max(...chosen.map((test) => test.silence), 0) * SLOWER;
    return { files: chosen.map((test) => test.file), silence: Math.max(silence, LEAST_SILENCE_S) };
  }

  /** First the tests that run most of the file's folder in a second. */
  #mostOf(file: string, reaches: (test: Test) => boolean): readonly Test[] {
    const rate = ({ hits, seconds }: Test): number =>
      hits.filter((id) => this.#folders.get(id) === dirname(file)).length / seconds;
    return this.#tests.filter(reaches).sort((a, b) => rate(b) - rate(a));
  }

  /** A test file has noticed a mutant of the source. */
  noticed({ file }: Mutant, by: string | undefined): void {
    if (by !== undefined) this.#last.set(file, by);
  }
}
