// The frame of every benchmark: its options and help, what it brings up, the load, the printed figures, and the problems
// that --check reports.
import { parseArgs } from 'node:util';
import { renderTable, showsColour, type Column, type Row } from '#app/cli/table.js';
import { runCommand } from '../../scripts/command-line.js';
import { describeMachine, observeMachine, type Machine } from './machine.js';
import { flag, helpOf, type Chosen, type Options } from './options.js';
import { Stage } from './stage.js';

export interface Figures {
  /** A line above the table. */
  readonly title?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Lines below. */
  readonly notes?: readonly string[];
}

export type Given<O extends Options> = Chosen<O> & { readonly check: boolean };

export interface Scenario<O extends Options, Context, Found> {
  /** What it measures, for the help. */
  readonly about: string;
  readonly options?: O;
  /** When `--check` ends with exit code 1. */
  readonly fails: string;
  /** Brings up what the load needs. The stage stops it. */
  readonly setup: (stage: Stage, chosen: Given<O>) => Promise<Context> | Context;
  readonly load: (context: Context, chosen: Given<O>, stage: Stage) => Promise<Found> | Found;
  readonly figures: (found: Found) => Figures;
  /** What `--json` prints, if not all that was found. */
  readonly document?: (found: Found) => unknown;
  /** What is outside its limits, one line each. */
  readonly problems: (found: Found) => readonly string[];
  /** Whether the figures depend on how fast this machine is, which then is printed with them. True unless said otherwise. */
  readonly isOfMachine?: boolean;
}

/** Runs a benchmark. With `--check` the exit code is 1 when it has problems; a wrong option gives 2. */
export function scenario<Context, Found, O extends Options = Record<never, never>>(
  name: string,
  { about, options, fails, isOfMachine = true, ...own }: Scenario<O, Context, Found>,
): void {
  const common = { json: flag('one JSON document'), check: flag(`exit code 1 when ${fails}`) };
  const all: Options = { ...options, ...common };
  const help = `npm run bench -- ${name} [OPTIONS]\n\n${about}\n\n${helpOf({ ...all, help: flag('print this') })}`;
  runCommand(help, async () => {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          Object.entries(all).map(([option, { value }]) => [
            option,
            { type: value === undefined ? ('boolean' as const) : ('string' as const) },
          ]),
        ),
      },
    });
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    if (given['help'] === true) return console.log(help);
    const chosen = Object.fromEntries(
      Object.entries(all).map(([option, { read }]) => [option, read(option, given[option])]),
    ) as Given<O>;
    const conditions = observeMachine();
    const stage = new Stage();
    try {
      const found = await own.load(await own.setup(stage, chosen), chosen, stage);
      const machine = isOfMachine ? conditions(stage.postgresVersion) : undefined;
      const document = own.document?.(found) ?? (machine === undefined ? found : { machine, ...found });
      console.log(
        given['json'] === true ? JSON.stringify(document, null, 2) : textOf(own.figures(found), machine),
      );
      if (!chosen.check) return;
      const problems = own.problems(found);
      for (const problem of problems) console.error(problem);
      if (problems.length > 0) process.exitCode = 1;
    } finally {
      await stage.stop();
    }
  });
}

function textOf({ title, columns, rows, notes = [] }: Figures, machine: Machine | undefined): string {
  const table = renderTable(columns, rows, showsColour(process.stdout));
  const below = [...notes, ...(machine === undefined ? [] : [describeMachine(machine)])];
  return [
    ...(title === undefined ? [] : [title]),
    table,
    ...(below.length === 0 ? [] : [below.join('\n')]),
  ].join('\n\n');
}

/** Columns of numbers after a first one of texts. */
export function numberColumns(
  first: string,
  ...others: readonly (readonly [title: string, unit?: string])[]
): Column[] {
  return [
    { title: first },
    ...others.map(([title, unit]) => ({
      title,
      ...(unit !== undefined && { unit }),
      align: 'right' as const,
    })),
  ];
}

/** Tells on standard error what a benchmark does now. */
export function say(line: string): void {
  console.error(`bench: ${line}`);
}
