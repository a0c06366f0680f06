// What all commands have in common: `--json`, one way to show a result, exit codes.
import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** What a command has to say. */
export interface Result {
  /** For `--json`. Amounts are bigints in lamports or smallest token units, and become strings. */
  readonly document: object;
  /** For people. */
  readonly text: string;
  /** Exit code 1: something was found wrong. */
  readonly failed?: boolean;
}

export interface Invocation<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
}

/** Tells the process how a command ended. */
export type SetExitCode = (code: number) => void;

/** What commands are registered with. */
export interface Registration {
  readonly terminal: Terminal;
  readonly setExitCode: SetExitCode;
}

/** Gives a command its `--json` and its work. */
export function work<Options extends object>(
  command: Command,
  { terminal, setExitCode }: Registration,
  run: (invocation: Invocation<Options>) => Promise<Result>,
): Command {
  return command
    .option('--json', 'one JSON document on standard output, every amount a string in smallest units')
    .action(async () => {
      const { json, ...options } = command.opts<Options & { readonly json?: boolean }>();
      const result = await run({ args: command.args, options: options as unknown as Options, terminal });
      terminal.out(json === true ? toJson(result.document) : result.text);
      if (result.failed === true) setExitCode(1);
    });
}

/** Amounts exceed what JSON numbers can hold for most readers: they become strings. */
function toJson(document: object): string {
  return JSON.stringify(
    document,
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  );
}
