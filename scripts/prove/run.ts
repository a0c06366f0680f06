/** Runs the programs that the proofs need. */
import { spawn } from 'node:child_process';

export interface Ran {
  readonly code: number | null;
  /** Standard output, then standard error. */
  readonly output: string;
}

/** @throws Error when the program is not installed */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, error] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: out + error }));
  });
}

/** Does `task` for each item, `limit` at a time. `lane`, from 0, tells tasks apart that run at the same time. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  task: (item: T, lane: number) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const work = async (lane: number): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await task(item, lane);
  };
  await Promise.all(Array.from({ length: limit }, (_, lane) => work(lane)));
}
