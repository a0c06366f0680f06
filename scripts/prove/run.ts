/** Runs the programs that the proofs need. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Ran {
  readonly code: number | null;
  /** Standard output, then standard error. */
  readonly output: string;
}

/** @throws Error when the program is not installed */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], ...printed] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output: printed.join('') };
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
