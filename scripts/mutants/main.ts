/** `npm run mutants`: alters the programs' sources in every place that cargo-mutants knows, and plays on each altered program. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, UsageError, wholeNumber } from '../command-line.js';
import { ROOT, RUST_WORKSPACE } from '../program/paths.js';
import { inParallel, run } from '../prove/run.js';
import { altered, INTERFACE, listMutants, type Mutant } from './list.js';
import { buildForDifferential } from '../program/toolchain.js';
import { failuresIn } from '../test/outcome.js';
import { PROGRAM_TESTS } from '../test/suites.js';

const HELP = `npm run mutants [-- --program curve|graduation] [-- --steps N] [-- --only TEXT]

Alters the programs' sources, one place at a time, as cargo-mutants lists them (\`cargo install cargo-mutants --locked\`). Builds
each altered program, about 20 s, and lets the fuzzer play on it. What the fuzzer does not notice in the curve has the unit tests in
Rust, is compared with the reference build (tests/differential), and has the program's tests on a local cluster. An alteration that nothing
notices is a survivor: a test is missing, or the altered program does the same.

  --program NAME  only the alterations of this program; those of the interface crate are the curve's
  --steps N       steps of the fuzzer for each, and of the comparison (20,000)
  --only TEXT     only alterations whose name contains the text, for example a file's name

Exit code 1 when there are survivors.`;

const CRATES = { curve: 'bonding-curve', graduation: 'graduation' } as const;
/** The crates whose sources are altered, by the program that then plays. */
const ALTERED = { curve: [INTERFACE, CRATES.curve], graduation: [CRATES.graduation] } as const;
type Program = keyof typeof CRATES;
const SEED = '2026';

const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    steps: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** `unbuilt`: the compiler refuses it. `same`: its machine code is that of the sources. Or what notices it. */
type End = 'unbuilt' | 'same' | 'fuzz' | 'units' | 'differential' | 'tests' | 'survived';

interface Work {
  readonly program: Program;
  readonly mutant: Mutant;
}

runCommand(HELP, async () => {
  if (values.help === true) return console.log(HELP);
  const steps = wholeNumber('--steps', values.steps, 1, 10_000_000);
  const work = await listed();
  const counts: Record<End, number> = {
    unbuilt: 0,
    same: 0,
    fuzz: 0,
    units: 0,
    differential: 0,
    tests: 0,
    survived: 0,
  };
  const started = performance.now();
  const jobs = availableParallelism();
  const curveTests = new CurveTests(steps);
  const lanes = Array.from({ length: jobs }, (_, index) => new Lane(index, steps, curveTests));
  await inParallel(work, jobs, async (next, lane) => {
    const end = await lanes[lane]!.try(next);
    counts[end] += 1;
    console.log(`${end.padEnd(12)}  ${next.mutant.name}`);
  });
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.error(
    `${work.length} alterations in ${minutes} min: the fuzzer notices ${counts.fuzz}, unit tests ${counts.units}, the comparison ${counts.differential}, the ` +
      `tests ${counts.tests}; the compiler refuses ${counts.unbuilt}, ${counts.same} make the same program, ${counts.survived} survive`,
  );
  if (counts.survived > 0) throw new CommandError(`nothing notices ${counts.survived} alterations`);
});

async function listed(): Promise<Work[]> {
  const programs = Object.keys(CRATES) as Program[];
  const { program } = values;
  if (program !== undefined && !(program in CRATES))
    throw new UsageError(`--program is '${program}'; it must be ${programs.join(' or ')}`);
  const all: Work[] = [];
  for (const each of programs) {
    if (program !== undefined && program !== each) continue;
    for (const crate of ALTERED[each])
      for (const mutant of await listMutants(crate)) all.push({ program: each, mutant });
  }
  return all.filter(({ mutant }) => mutant.name.includes(values.only));
}

/** One worker: a copy of the sources, and the programs that it makes of them. */
class Lane {
  readonly #workspace: Workspace;
  readonly #originals = new Map<Program, string>();
  #units: Promise<string | undefined> | undefined;

  constructor(
    lane: number,
    private readonly steps: number,
    private readonly curveTests: CurveTests,
  ) {
    this.#workspace = new Workspace(lane);
  }

  async try({ program, mutant }: Work): Promise<End> {
    const original = await this.#original(program);
    const file = await this.#workspace.buildAltered(CRATES[program], mutant);
    if (file === undefined) return 'unbuilt';
    if (readFileSync(file).equals(readFileSync(original))) return 'same';
    const fuzzer = join(ROOT, 'tests', 'fuzz', 'main.ts');
    const steps = ['--steps', String(this.steps), '--seed', SEED, '--workers', '1'];
    const { code } = await run('tsx', [fuzzer, ...steps, `--${program}`, file], ROOT);
    if (code !== 0) return 'fuzz';
    if (program !== 'curve') return 'survived';
    if ((await this.#failedUnits(mutant)) !== undefined) return 'units';
    return (await this.curveTests.notice(file, original))?.end ?? 'survived';
  }

  /** What fails in Rust with the alteration, and not without it. */
  async #failedUnits(mutant: Mutant): Promise<string | undefined> {
    this.#units ??= this.#workspace.unitTests(CRATES.curve);
    const failed = await this.#units;
    if (failed !== undefined) throw new CommandError(`the unaltered program fails: ${failed.slice(-300)}`);
    return this.#workspace.unitTests(CRATES.curve, mutant);
  }

  /** The program that the sources make when they are built in the same way. */
  async #original(program: Program): Promise<string> {
    const original = this.#originals.get(program) ?? (await this.#workspace.build(CRATES[program]));
    this.#originals.set(program, original);
    return original;
  }
}

// What else plays on an altered curve that the fuzzer takes for the shipped one.
interface Noticed {
  readonly end: End;
  /** What it said. */
  readonly by: string;
}

/** Programs that are called, and cheat. */
const CHEATING_TESTS = ['tests/fuzz/cheating-token.test.ts'];
const COMPARISON = 'tests/differential/differential.test.ts';

/** The comparison with the reference build, and the program's tests on a local cluster. */
class CurveTests {
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
    if (compared.code !== 0) return { end: 'differential', by: failuresIn(compared.output).join('\n') };
    const tested = await run('mocha', ['--bail', ...PROGRAM_TESTS, ...CHEATING_TESTS], ROOT, {
      CURVE_SO: file,
    });
    if (tested.code === 0) return undefined;
    return { end: 'tests', by: failuresIn(tested.output).join('\n') };
  }
}

// Builds altered programs, in a copy of the Rust workspace that is kept for the next run.

/** Compiled in a third of the time; a program does the same. */
const FAST = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' };

/** A copy of the workspace, in which one program at a time is altered. */
class Workspace {
  readonly #folder: string;

  /** @param lane runs of the same number must not overlap */
  constructor(lane: number) {
    this.#folder = join(ROOT, 'target', 'mutants', String(lane));
    for (const path of RUST_WORKSPACE) {
      rmSync(join(this.#folder, path), { recursive: true, force: true });
      cpSync(join(ROOT, path), join(this.#folder, path), {
        recursive: true,
        filter: (file) => !file.endsWith('/target'),
      });
    }
  }

  /** @returns the program's file, as the sources make it, which later builds keep @throws CommandError when they do not compile */
  async build(crate: string): Promise<string> {
    const file = await this.#compile(crate);
    if (file === undefined) throw new CommandError(`${crate} cannot be built`);
    const kept = `${file}.unaltered`;
    copyFileSync(file, kept);
    return kept;
  }

  /** @returns the program's file; undefined when the compiler refuses the alteration */
  async buildAltered(crate: string, mutant: Mutant): Promise<string | undefined> {
    return this.#altered(mutant, () => this.#compile(crate));
  }

  /** Runs the unit and property tests of the crate and of the interface. @param mutant none for the sources as they are @returns what failed; undefined when none did */
  async unitTests(crate: string, mutant?: Mutant): Promise<string | undefined> {
    const test = () =>
      run('cargo', ['test', '--quiet', '--lib', '--package', crate, '--package', INTERFACE], this.#folder, {
        PROPTEST_CASES: '2000',
      });
    const { code, output } = mutant === undefined ? await test() : await this.#altered(mutant, test);
    return code === 0 ? undefined : output;
  }

  async #altered<T>(mutant: Mutant, work: () => Promise<T>): Promise<T> {
    const path = join(this.#folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    try {
      writeFileSync(path, altered(source, mutant));
      return await work();
    } finally {
      writeFileSync(path, source);
    }
  }

  async #compile(crate: string): Promise<string | undefined> {
    const output = join(this.#folder, 'built');
    mkdirSync(output, { recursive: true });
    const manifest = join(this.#folder, 'programs', crate, 'Cargo.toml');
    const { code } = await run(
      'cargo',
      ['build-sbf', '--manifest-path', manifest, '--sbf-out-dir', output],
      this.#folder,
      FAST,
    );
    return code === 0 ? join(output, `${crate.replace('-', '_')}.so`) : undefined;
  }
}
