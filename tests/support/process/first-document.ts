import { spawn, type ChildProcess } from 'node:child_process';
import { bundled } from './bundled.js';

/**
 * The JSON that a command prints when it is ready.
 *
 * @param why what its failure says; standard output unless given
 */
export function firstDocument<T>(running: ChildProcess, why?: Promise<string>): Promise<T> {
  return new Promise((resolve, reject) => {
    let printed = '';
    running.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      try {
        resolve(JSON.parse(printed) as T);
      } catch {
        // The JSON is still incomplete.
      }
    });
    running.once('error', reject);
    running.once('exit', () => {
      void Promise.resolve(why).then((said) =>
        reject(new Error(`it ended before it was ready: ${said ?? printed}`)),
      );
    });
  });
}

/** Starts `curvekit start --local --json` in a folder, so that the `.curvekit` of a running `npm start` stays as it is. */
export async function spawnLaunchpad(folder: string): Promise<ChildProcess> {
  const program = await bundled('app/src/operator/main.ts');
  return spawn(process.execPath, [program, 'start', '--local', '--json'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', RATE_LIMIT_REQUESTS: '1000000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
