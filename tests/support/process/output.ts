import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

/** Reads all that a process prints. It would block on a full pipe. */
export function outputOf(child: ChildProcess) {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return {
    printed: () => printed,
    /** Waits until it has printed that. @throws Error with all that it has printed when it ends before */
    until: async (wanted: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = wanted.exec(printed);
        if (found !== null) return found;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${child.spawnargs.join(' ')} ended, and has printed: ${printed}`);
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
}

/** What the service logs once it answers requests, with its URL. */
export const STARTED = /"url":"(http:[^"]+)"[^\n]*"msg":"started"/;
