/** The frame of every benchmark: its options and help, the printed figures, and the problems that --check reports. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { renderTable, right, showsColour, type Column, type Row } from '#app/operator/table.js';
import { runCommand, UsageError, wholeNumber } from '../../command-line.js';
import { Stage } from './stage.js';

export interface Option<T> {
  readonly about: string;
  /** What the help calls the value. An option without one takes none. */
  readonly value?: string;
  /** @param text undefined when the option is not given @throws UsageError */
  readonly read: (name: string, text: string | boolean | undefined) => T;
}

type Options = Readonly<Record<string, Option<unknown>>>;
export type Chosen<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never;
};
export type Given<O extends Options> = Chosen<O> & { readonly check: boolean };

const MOST = 1e10 - 1;

export const whole = (preset: number, about: string, least = 1, most = MOST): Option<number> => ({
  about: `${about} (${preset})`,
  value: 'N',
  read: (name, text) => (text === undefined ? preset : wholeNumber(`--${name}`, String(text), least, most)),
});

/** One of several words; the first unless said otherwise. */
export const oneOf = <const Word extends string>(words: readonly Word[], about: string): Option<Word> => ({
  about,
  value: words.join('|'),
  read: (name, text = words[0]) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}`);
    return found;
  },
});

export const text = (about: string): Option<string | undefined> => ({
  about,
  value: 'FILE',
  read: (_, given) => (typeof given === 'string' ? given : undefined),
});

export const flag = (about: string): Option<boolean> => ({ about, read: (_, given) => given === true });

export interface Figures {
  /** A line above the table. */
  readonly title?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Lines below. */
  readonly notes?: readonly string[];
}

export interface Scenario<O extends Options, Found> {
  /** What it measures, for the help. */
  readonly about: string;
  readonly options?: O;
  /** When `--check` ends with exit code 1. */
  readonly fails: string;
  /** Brings up what it needs on the stage, which stops it at the end, and measures. */
  readonly run: (stage: Stage, chosen: Given<O>) => Promise<Found> | Found;
  readonly figures: (found: Found) => Figures;
  /** What is outside its limits, one line each. */
  readonly problems: (found: Found) => readonly string[];
}

/** Runs a benchmark. With `--check` the exit code is 1 when it has problems; a wrong option gives 2. */
export function scenario<Found, O extends Options = Record<never, never>>(
  name: string,
  { about, options, fails, ...own }: Scenario<O, Found>,
): void {
  const all: Options = {
    ...options,
    json: flag('one JSON document'),
    check: flag(`exit code 1 when ${fails}`),
    help: flag('print this'),
  };
  const lines = Object.entries(all).map(
    ([option, { value = '', about: says }]) => `  ${`--${option} ${value}`.padEnd(24)}${says}`,
  );
  const help = [`npm run bench -- ${name} [OPTIONS]`, about, lines.join('\n')].join('\n\n');
  runCommand(help, async () => {
    const types = Object.entries(all).map(
      ([option, { value }]) => [option, { type: value === undefined ? 'boolean' : 'string' }] as const,
    );
    const values = parseArgs({ options: Object.fromEntries(types) }).values;
    if (values['help'] === true) return console.log(help);
    const chosen = Object.fromEntries(
      Object.entries(all).map(([option, { read }]) => [option, read(option, values[option])]),
    ) as Given<O>;
    const loadBefore = load();
    const stage = new Stage();
    try {
      const found = await own.run(stage, chosen);
      const postgres = stage.postgresVersion === undefined ? '' : `, PostgreSQL ${stage.postgresVersion}`;
      const machine =
        `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}${postgres}; ` +
        `load ${loadBefore} before, ${load()} after`;
      if (values['json'] === true) console.log(JSON.stringify({ machine, found }, null, 2));
      else console.log(textOf(own.figures(found), machine));
      const problems = chosen.check ? own.problems(found) : [];
      for (const problem of problems) console.error(problem);
      if (problems.length > 0) process.exitCode = 1;
    } finally {
      await stage.stop();
    }
  });
}

/** Load average of the last minute, including the benchmark's own processes. */
const load = (): string => loadavg()[0]!.toFixed(1);

function textOf({ title = '', columns, rows, notes = [] }: Figures, machine: string): string {
  const table = renderTable(columns, rows, showsColour(process.stdout));
  return [title, table, [...notes, machine].join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Columns of numbers after a first one of texts. */
export function numberColumns(
  first: string,
  ...others: readonly (readonly [title: string, unit?: string])[]
): Column[] {
  return [first, ...others.map(([title, unit]) => right(title, unit))];
}

/** Tells on standard error what a benchmark does now. */
export function say(line: string): void {
  console.error(`bench: ${line}`);
}
