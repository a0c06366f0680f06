import type { ChildProcess } from 'node:child_process';

/** The next message of a process. @throws Error with `ended` when it ends before */
export function nextMessage<T>(child: ChildProcess, ended: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${ended}; its exit code is ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}
