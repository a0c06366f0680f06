// The service in a separate process, configured like an operator's. A test can kill it, or freeze it like a suspended machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LocalCluster } from '@curvekit/testing';
import { bundled } from '#tests/process/bundled.js';
import { outputOf, STARTED } from '#tests/process/output.js';
import { simulatedCluster } from './service.js';

export interface LogLine {
  readonly level: number;
  readonly instance: string;
  readonly msg: string;
  readonly reason?: string;
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  readonly logged: () => LogLine[];
  /** Kills the process, like a machine that dies. @returns false if it had ended before */
  readonly kill: () => Promise<boolean>;
  /** Asks the process to end, with SIGTERM. @returns its exit code once it has ended, null if it was killed meanwhile */
  readonly terminate: () => Promise<number | null>;
  /** Stops the process with SIGSTOP. Its connections stay open. */
  freeze(): void;
  thaw(): void;
}

/**
 * Starts the service and waits until it logs its URL.
 *
 * @param environment variables besides those of the cluster
 * @param nodeArguments such as `--max-old-space-size=512`
 */
export async function startServiceProcess(
  { rpcUrl, wsUrl, kind }: Pick<LocalCluster, 'rpcUrl' | 'wsUrl'> & Partial<Pick<LocalCluster, 'kind'>>,
  environment: Readonly<Record<string, string>>,
  nodeArguments: readonly string[] = [],
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...nodeArguments, await bundled('app/src/main.ts')], {
    env: {
      ...process.env,
      ...(kind !== undefined && { SIMULATED_CLUSTER: simulatedCluster({ kind }) }),
      ...environment,
      RPC_URL: rpcUrl,
      WS_URL: wsUrl,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const { printed, until } = outputOf(child);
  const [, url] = await until(STARTED);
  return {
    url: url!,
    pid: child.pid!,
    logged: () =>
      printed()
        .slice(0, printed().lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
      return child.signalCode === 'SIGKILL';
    },
    terminate: async () => {
      child.kill('SIGTERM');
      await exit;
      return child.exitCode;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
