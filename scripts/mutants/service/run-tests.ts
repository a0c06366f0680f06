/** Runs test files on the altered copy of the sources. */
import { fork } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allocatorEnvironment } from '../../test/suites.js';
import { ROOT } from '../../program/paths.js';

const HOOK = pathToFileURL(fileURLToPath(new URL('load-instrumented.mjs', import.meta.url))).href;
const RUNNER = fileURLToPath(new URL('runner.mjs', import.meta.url));

/** After a failure a test file stops what it has started. It may fail in that too. */
const END_MS = 5_000;

type Message =
  | { readonly kind: 'loaded'; readonly hits: readonly string[] }
  | { readonly kind: 'alive' }
  | { readonly kind: 'failed'; readonly title: string; readonly file?: string; readonly message: string }
  | { readonly kind: 'ended'; readonly failures: number; readonly hits: readonly string[] };

export interface Ran {
  readonly end: 'passed' | 'failed' | 'timeout';
  /** The test that failed. */
  readonly failed?: { readonly title: string; readonly file: string | undefined; readonly message: string };
  /** Ids of the mutants that loading the files ran, and that their tests ran. */
  readonly loaded: readonly string[];
  readonly hits: readonly string[];
  readonly seconds: number;
  /** The longest time without a test's end. */
  readonly silence: number;
}

/**
 * @param files relative to the repository. The first test that fails ends the run.
 * @param silence seconds without a test's end after which the run is ended
 */
export function runTests(
  files: readonly string[],
  { mutant, silence }: { readonly mutant?: string; readonly silence: number },
): Promise<Ran> {
  const started = performance.now();
  const seconds = (since: number): number => (performance.now() - since) / 1_000;
  return new Promise((resolve, reject) => {
    const child = fork(RUNNER, {
      cwd: ROOT,
      // A group of its own, to be ended with the processes that it starts.
      detached: true,
      execArgv: ['--import', 'tsx'],
      env: {
        ...process.env,
        ...allocatorEnvironment(),
        DATABASE: process.env['DATABASE'] ?? 'pglite',
        NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${HOOK}`,
        ...(mutant !== undefined && { __STRYKER_ACTIVE_MUTANT__: mutant }),
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [ran, end] = [
      { loaded: [] as readonly string[], hits: [] as readonly string[], silence: 0 },
      () => kill(child.pid),
    ];
    let [result, failed]: [Ran['end'], Ran['failed']] = ['failed', undefined];
    let last = started;
    const timer = setTimeout(() => {
      if (failed === undefined) result = 'timeout';
      end();
    }, silence * 1_000);
    child.on('message', (message: Message) => {
      ran.silence = Math.max(ran.silence, seconds(last));
      last = performance.now();
      timer.refresh();
      if (message.kind === 'loaded') ran.loaded = message.hits;
      if (message.kind === 'failed') {
        const { title, file, message: text } = message;
        failed ??= { title, file: file === undefined ? undefined : relative(ROOT, file), message: text };
        setTimeout(end, END_MS).unref();
      }
      if (message.kind !== 'ended') return;
      ran.hits = message.hits;
      if (message.failures === 0) result = 'passed';
    });
    child.on('error', reject);
    child.on('exit', () => {
      clearTimeout(timer);
      end();
      resolve({ end: result, ...(failed !== undefined && { failed }), ...ran, seconds: seconds(started) });
    });
    child.send(files);
  });
}

function kill(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // They have ended.
  }
}
