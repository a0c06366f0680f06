import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

/** Waits until a process has ended of this signal, unless it has ended already. */
export async function killed(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
