// The frame of every benchmark: its options, its help, the printed result, and the problems that --check reports.
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../scripts/command-line.js';

export interface NumberOption {
  readonly preset: number;
  /** The smallest allowed value; 1 unless given. */
  readonly least?: number;
  /** Whether fractions are allowed. Then any value above 0 is. */
  readonly fraction?: boolean;
}

export interface Bench<Result, Name extends string, Switch extends string> {
  readonly help: string;
  /** Options `--NAME N`: their presets, or presets with limits. */
  readonly numbers?: Readonly<Record<Name, number | NumberOption>>;
  /** Options without a value, beside `--json` and `--check`. */
  readonly switches?: readonly Switch[];
  readonly measure: (
    numbers: Readonly<Record<Name, number>>,
    switches: ReadonlySet<Switch>,
  ) => Promise<Result> | Result;
  readonly table: (result: Result) => string;
  /** What is outside its limits, one line each. */
  readonly problems: (result: Result) => readonly string[];
}

/** Runs a benchmark. With `--check` the exit code is 1 when it has problems; a wrong option gives 2. */
export function runBench<Result, Name extends string = never, Switch extends string = never>(
  bench: Bench<Result, Name, Switch>,
): void {
  runCommand(bench.help, async () => {
    const numbers = Object.entries<number | NumberOption>(bench.numbers ?? {});
    const names = ['json', 'check', ...(bench.switches ?? [])];
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }])),
        ...Object.fromEntries(numbers.map(([name]) => [name, { type: 'string' as const }])),
      },
    });
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    if (given['help'] === true) return console.log(bench.help);
    const chosen = numbers.map(([name, option]) => [name, numberOf(name, given[name], option)]);
    const result = await bench.measure(
      Object.fromEntries(chosen) as Record<Name, number>,
      new Set((bench.switches ?? []).filter((name) => given[name] === true)),
    );
    console.log(given['json'] === true ? JSON.stringify(result, null, 2) : bench.table(result));
    if (given['check'] !== true) return;
    const problems = bench.problems(result);
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
  });
}

/** Tells on standard error what a benchmark does now. */
export function say(line: string): void {
  console.error(`bench: ${line}`);
}

/** @throws UsageError for a value outside the option's limits */
function numberOf(name: string, text: string | boolean | undefined, option: number | NumberOption): number {
  const { preset, least = 1, fraction = false } = typeof option === 'number' ? { preset: option } : option;
  if (typeof text !== 'string') return preset;
  const value = text.trim() === '' ? NaN : Number(text);
  if (fraction ? value > 0 && Number.isFinite(value) : Number.isSafeInteger(value) && value >= least)
    return value;
  const allowed = fraction ? 'a number above 0' : `a whole number of at least ${least}`;
  throw new UsageError(`--${name} is '${text}'; it must be ${allowed}`);
}
