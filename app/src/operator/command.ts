// Shared by all commands: `--json`, printing a result, exit codes.
import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

export interface Result {
  /** For `--json`. Amounts are bigints in lamports or token base units, printed as strings. */
  readonly document: object;
  /** For people, without `--json`. */
  readonly text: string;
  /** Exit code 1: the command found a problem. */
  readonly failed?: boolean;
}

export interface Invocation<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
}

export type Run<Options> = (invocation: Invocation<Options>) => Promise<Result>;

export type SetExitCode = (code: number) => void;

export interface Registration {
  readonly terminal: Terminal;
  readonly setExitCode: SetExitCode;
}

/** Adds `--json` and the action to a command. `load` imports the action on demand, so that help starts fast. */
export function work<Options extends object>(
  command: Command,
  { terminal, setExitCode }: Registration,
  load: () => Promise<Run<Options>>,
): Command {
  return command
    .option('--json', 'print one JSON document on standard output; every amount is a string in base units')
    .action(async () => {
      const { json, ...options } = command.opts<Options & { readonly json?: boolean }>();
      const run = await load();
      const result = await run({ args: command.args, options: options as unknown as Options, terminal });
      terminal.out(json === true ? toJson(result.document) : result.text);
      if (result.failed === true) setExitCode(1);
    });
}

/** Most JSON readers round large numbers, so amounts are strings. */
function toJson(document: object): string {
  return JSON.stringify(
    document,
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  );
}
