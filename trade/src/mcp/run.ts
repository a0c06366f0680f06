// Runs a command of this program inside the server, as a user would run it with `--json`.
import { runCli } from '../cli.js';
import { EXIT } from '../errors.js';
import type { Terminal } from '../terminal.js';

export interface CommandRun {
  readonly code: number;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
}

/** @param common options that every command gets, such as `--launchpad` */
export async function runCommand(
  terminal: Terminal,
  common: readonly string[],
  [command = '', ...args]: readonly string[],
  signal: AbortSignal,
): Promise<CommandRun> {
  const lines: string[] = [];
  const said: string[] = [];
  const code = await runCli([command, ...common, '--json', ...args], {
    ...terminal,
    stopped: AbortSignal.any([terminal.stopped, signal]),
    out: (text) => void lines.push(...text.split('\n').filter(Boolean)),
    err: (text) => void said.push(text),
  });
  const documents = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const isExplained = documents.some((document) => 'error' in document);
  // The parser of the command line says on standard error what is wrong.
  if (code !== EXIT.done && !isExplained)
    return { code, documents: [{ error: { name: 'UsageError', message: said.join('\n') } }] };
  return { code, documents };
}
