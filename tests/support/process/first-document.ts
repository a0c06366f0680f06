import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from '../mocha/at-end.js';
import { bundled } from './bundled.js';
import { temporaryFolder } from './temporary-folder.js';

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

/** What `curvekit start --local --json` prints, as far as tests use it. */
export interface Launchpad {
  readonly url: string;
  readonly docs: string;
  readonly rpcUrl: string;
  readonly tokens: readonly { readonly mint: string; readonly symbol: string }[];
  readonly partnerKey: string;
  readonly payoutWallet: string;
  readonly payoutWalletFile: string;
  readonly walletFile: string;
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

/** Starts `curvekit start --json` without an indexer, in a folder of its own. It is killed with the test at the latest. */
export async function startCurvekit(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const command = [await bundled('app/src/operator/main.ts'), 'start', '--json', ...args];
  const child = spawn(process.execPath, command, {
    cwd: temporaryFolder('curvekit'),
    env: {
      ...{
        PATH: process.env['PATH'],
        PORT: '0',
        DATABASE_FOLDER: 'memory',
        INDEXER: 'off',
        LOG_LEVEL: 'silent',
      },
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  return { child, ended, document: await firstDocument<Record<string, string>>(child) };
}
