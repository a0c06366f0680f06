// Shared by all commands: `--json`, printing a result, exit codes.
import type { Command } from 'commander';
import type { openDatabase } from '../db/database.js';
import { ExplainedError } from '../base/errors.js';

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

export interface Registration {
  readonly terminal: Terminal;
  readonly setExitCode: (code: number) => void;
}

/** A command that cannot run. The message says why and what to do. */
export class CommandError extends ExplainedError {
  override readonly name = 'CommandError';
}

/** Adds `--json` and the action to a command. */
export function work<Options extends object>(
  command: Command,
  { terminal, setExitCode }: Registration,
  run: (invocation: Invocation<Options>) => Promise<Result>,
): void {
  command
    .option('--json', 'print one JSON document on standard output; every amount is a string in base units')
    .action(async () => {
      const { json, ...options } = command.opts<Options & { readonly json?: boolean }>();
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

/** Streams of a command: a real terminal, or a test. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly openDatabase: typeof openDatabase;
  /** Whether `out` shows colour. */
  readonly colour: boolean;
}
