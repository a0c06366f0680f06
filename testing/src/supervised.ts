import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/**
 * Becomes the program once this process has said so. It ignores the terminal's signals: Ctrl-C reaches every process of the
 * terminal, and a service that stops in order still needs its cluster.
 */
const PROGRAM = `trap '' INT QUIT HUP; read -r go || exit; exec "$@" </dev/null`;

/**
 * Reads this process's end of a pipe. When the pipe closes, by `stop()` or because this process ended, also by SIGKILL, it
 * kills the program and removes the folder. A line says that the program has ended: its id may be another program's by now.
 * Ten seconds are enough for a killed program to end, and some containers never remove it from the list of processes.
 */
const WATCHER = `
program=$1 folder=$2
if read -r ended; then
  cat >/dev/null
else
  kill -9 "$program"
  for _ in $(seq 200); do kill -0 "$program" || break; sleep 0.05; done
fi
rm -rf "$folder"
`;

/** A program that cannot outlive this process. */
export interface Supervised {
  /** Process id of the program; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** How the program ended, if it ended by itself. */
  readonly ended: () => string | undefined;
  /** Kills the program, removes its folder, and waits for both. Safe to call twice. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program that cannot outlive this process.
 *
 * @param folder The folder of the program, removed after its end.
 * @param output File that receives what the program prints.
 */
export function startSupervised(folder: string, output: string, command: readonly string[]): Supervised {
  const log = openSync(output, 'a');
  // In this process's session: Linux may share its cores among sessions before it looks at priorities (calm-loops.ts).
  const program = spawn('/bin/sh', ['-c', PROGRAM, 'sh', ...command], { stdio: ['pipe', log, log] });
  closeSync(log);
  // In a session of its own: no Ctrl-C may end it before its work is done.
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', String(program.pid ?? ''), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  let ended: string | undefined;
  const whenEnded = (how: string): void => {
    ended ??= how;
    if (watcher.stdin.writable) watcher.stdin.write('ended\n');
  };
  program.on('exit', (code, signal) => whenEnded(code === null ? `signal ${signal}` : `exit code ${code}`));
  program.on('error', (error) => whenEnded(error.message));
  const cleaned = new Promise<void>((resolve) => {
    watcher.once('exit', () => resolve());
    watcher.once('error', () => resolve());
  });
  for (const { stdin } of [program, watcher]) stdin?.on('error', () => undefined);
  // Without its watcher, the program never begins.
  program.stdin?.end(watcher.pid === undefined ? '' : 'go\n');
  for (const child of [program, watcher]) child.unref();
  (watcher.stdin as { unref?: () => void }).unref?.();

  return {
    pid: program.pid,
    ended: () => ended,
    stop: async () => {
      watcher.ref();
      watcher.stdin.end();
      await cleaned;
    },
  };
}
