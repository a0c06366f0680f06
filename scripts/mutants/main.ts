/** `npm run mutants`: alters the programs' sources in every place that cargo-mutants knows, and plays on each altered program. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, UsageError, wholeNumber } from '../command-line.js';
import { ROOT } from '../program/paths.js';
import { inParallel, run } from '../prove/run.js';
import { Workspace } from './build.js';
import { choice } from './choice.js';
import { CurveTests, type Noticed } from './curve-tests.js';
import { INTERFACE, listMutants, type Mutant } from './list.js';

const HELP = `npm run mutants [-- --program curve|graduation] [-- --steps N] [-- --shard K/N] [-- --only TEXT] [-- --except FILE]
                [-- --json]

Alters the programs' sources, one place at a time, as cargo-mutants lists them (\`cargo install cargo-mutants --locked\`). Builds
each altered program, about 20 s, and lets the fuzzer play on it. What the fuzzer does not notice in the curve has the unit tests in
Rust, is compared with the reference build (tests/differential), and has the program's tests on a local cluster. An alteration that nothing
notices is a survivor: a test is missing, or the altered program does the same.

  --program NAME  only the alterations of this program; those of the interface crate are the curve's
  --steps N       steps of the fuzzer for each, and of the comparison (20,000)
  --shard K/N     the K-th of N parts, to divide a night's work
  --only TEXT     only alterations whose name contains the text, for example a file's name
  --except FILE   leaves out the alterations in FILE, the output of a run with --json that was interrupted
  --json          one line of JSON for each alteration

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
    shard: { type: 'string', default: '1/1' },
    only: { type: 'string', default: '' },
    except: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** `unbuilt`: the compiler refuses it. `same`: its machine code is that of the sources. Or what notices it. */
type End = 'unbuilt' | 'same' | 'fuzz' | 'units' | Noticed['end'] | 'survived';
type Outcome = { readonly end: Exclude<End, Noticed['end']> } | Noticed;

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
    const outcome = await lanes[lane]!.try(next);
    const { end } = outcome;
    counts[end] += 1;
    const { name } = next.mutant;
    console.log(values.json === true ? JSON.stringify({ ...outcome, name }) : `${end.padEnd(12)}  ${name}`);
  });
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.error(
    `${work.length} alterations in ${minutes} min: the fuzzer notices ${counts.fuzz}, unit tests ${counts.units}, the comparison ${counts.differential}, the ` +
      `tests ${counts.tests}; the compiler refuses ${counts.unbuilt}, ${counts.same} make the same program, ${counts.survived} survive`,
  );
  if (counts.survived > 0) throw new CommandError(`nothing notices ${counts.survived} alterations`);
});

/** Those of this run. */
async function listed(): Promise<Work[]> {
  const programs = Object.keys(CRATES) as Program[];
  const { program } = values;
  if (program !== undefined && !(program in CRATES))
    throw new UsageError(`--program is '${program}'; it must be ${programs.join(' or ')}`);
  const chosen = choice(values);
  const all: Work[] = [];
  for (const each of programs) {
    if (program !== undefined && program !== each) continue;
    for (const crate of ALTERED[each])
      for (const mutant of await listMutants(crate)) all.push({ program: each, mutant });
  }
  return chosen(all, ({ mutant }) => mutant.name);
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

  async try({ program, mutant }: Work): Promise<Outcome> {
    const original = await this.#original(program);
    const file = await this.#workspace.buildAltered(CRATES[program], mutant);
    if (file === undefined) return { end: 'unbuilt' };
    if (readFileSync(file).equals(readFileSync(original))) return { end: 'same' };
    const fuzzer = join(ROOT, 'tests', 'fuzz', 'main.ts');
    const steps = ['--steps', String(this.steps), '--seed', SEED, '--workers', '1'];
    const { code } = await run('tsx', [fuzzer, ...steps, `--${program}`, file], ROOT);
    if (code !== 0) return { end: 'fuzz' };
    if (program !== 'curve') return { end: 'survived' };
    if ((await this.#failedUnits(mutant)) !== undefined) return { end: 'units' };
    return (await this.curveTests.notice(file, original)) ?? { end: 'survived' };
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
