import { spawn } from 'node:child_process';

/**
 * Runs a program beside a watcher that reads this process's end of a pipe. When the pipe closes, by `stop()` or because
 * this process ended, also by SIGKILL, the watcher kills the program and removes the folder.
 * The arguments are the folder, the file for the output, and the command line.
 */
const SUPERVISOR = `
folder=$1 output=$2; shift 2
exec 3<&0
"$@" </dev/null >"$output" 2>&1 3<&- & program=$!
(
  cat <&3 >/dev/null
  kill -9 $program 2>/dev/null
  while kill -0 $program 2>/dev/null; do sleep 0.05; done
  rm -rf "$folder"
) 2>/dev/null & watcher=$!
wait $program
echo "exit code $?"
wait $watcher
`;

const KILL_AFTER_MS = 10_000;

/** A program that cannot outlive this process. */
export interface Supervised {
  /** Process id of the shell that runs the program and its watcher. */
  readonly shell: number | undefined;
  /** How the program ended, if it did so by itself. */
  readonly ended: () => string | undefined;
  /** Kills the program, removes its folder, and waits for both. Safe to call twice. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program that ends with this process at the latest.
 *
 * @param folder Belongs to the program; removed after its end.
 * @param output File that receives what the program prints.
 */
export function startSupervised(folder: string, output: string, command: readonly string[]): Supervised {
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', folder, output, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own: Ctrl-C in the terminal must not end the watcher before its work is done.
    detached: true,
  });
  let ended: string | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended ??= text.trim()));
  child.on('error', (error) => (ended ??= error.message));
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin.on('error', () => undefined);
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as { unref?: () => void }).unref?.();

  return {
    shell: child.pid,
    ended: () => ended,
    stop: async () => {
      child.ref();
      child.stdin.end();
      const timer = setTimeout(() => killGroup(child.pid), KILL_AFTER_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
