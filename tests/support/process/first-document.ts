import type { ChildProcess } from 'node:child_process';

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
