// A process of the benchmark's own that answers messages one at a time.
import { fork, type Serializable } from 'node:child_process';
import { bundled } from '#tests/process/bundled.js';

export interface Child {
  /** What the process sends next, after it was sent the message. @throws when it ends instead */
  ask<Answer>(message: Serializable): Promise<Answer>;
  /** What the process sends next of its own accord. @throws when it ends instead */
  next<Answer>(): Promise<Answer>;
  /** Ends it, at once. Safe to call twice. */
  stop(): void;
}

/**
 * Starts a file of this folder, compiled as the service in production is. Its standard output goes nowhere, its errors to this
 * process's.
 */
export async function startChild(
  file: string,
  {
    args = [],
    environment = {},
  }: { readonly args?: readonly string[]; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<Child> {
  const child = fork(await bundled(`bench/${file}`), [...args], {
    execArgv: [],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const next = <Answer>() =>
    new Promise<Answer>((resolve, reject) => {
      const ended = () => reject(new Error(`${file} ended before it answered`));
      child.once('exit', ended);
      child.once('message', (answer) => {
        child.off('exit', ended);
        resolve(answer as Answer);
      });
    });
  return {
    next,
    ask: (message) => {
      const answer = next<never>();
      child.send(message);
      return answer;
    },
    stop: () => void kill(),
  };
}
