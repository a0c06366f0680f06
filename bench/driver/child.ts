// A child process of a benchmark that answers messages one at a time.
import { fork, type Serializable } from 'node:child_process';
import { bundled } from '#tests/process/bundled.js';

export interface Child {
  /** Sends the message and returns the next message of the process. @throws when the process ends instead */
  ask<Answer>(message: Serializable): Promise<Answer>;
  /** Returns the next message of the process. @throws when the process ends instead */
  next<Answer>(): Promise<Answer>;
  /** Kills the process. Safe to call twice. */
  stop(): void;
}

/**
 * Starts a file below bench/, compiled like the service in production. Its standard output is discarded, its standard
 * error goes to this process's.
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
