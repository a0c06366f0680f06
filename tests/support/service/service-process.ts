// The service in a separate process, configured like an operator's. A test can kill it, or freeze it like a suspended
// machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { LocalCluster } from '@curvekit/testing';
import { bundled } from '#tests/process/bundled.js';
import { simulatedCluster } from './service.js';

/** A line of the service's log. */
export interface LogLine {
  readonly level: number;
  readonly instance: string;
  readonly msg: string;
  readonly reason?: string;
}

export interface ServiceProcess {
  readonly url: string;
  /** Everything that it has logged so far. */
  readonly logged: () => LogLine[];
  /** Kills the process after `ms`, like a machine that dies. */
  readonly killAfter: (ms: number) => Promise<void>;
  /** Stops the process with SIGSTOP. Its connections stay open. */
  freeze(): void;
  /** Lets the process continue. */
  thaw(): void;
}

/** Starts the service and waits until it logs its URL. @param environment variables besides those of the cluster */
export async function startServiceProcess(
  { rpcUrl, wsUrl, kind }: Pick<LocalCluster, 'rpcUrl' | 'wsUrl'> & Partial<Pick<LocalCluster, 'kind'>>,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [await bundled('app/src/main.ts')], {
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
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /"url":"(http:[^"]+)"[^\n]*"msg":"started"/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exit.then(() => reject(new Error(`the service ended before it was ready: ${output}`)));
  });
  return {
    url,
    logged: () =>
      output
        .slice(0, output.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    killAfter: async (ms) => {
      await sleep(ms);
      child.kill('SIGKILL');
      await exit;
      expect(child.signalCode, 'it ended by itself').to.equal('SIGKILL');
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
