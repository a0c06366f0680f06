// The service in a process of its own, configured as by an operator: to be killed, or frozen as a host freezes a machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { LocalCluster } from '@curvekit/sdk/testing';
import { bundled } from './bundled.js';

export interface ServiceProcess {
  readonly url: string;
  /** Kills it after some time, as a machine dies. */
  killAfter(ms: number): Promise<void>;
  /** Stops the process where it is; its connections stay open. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
}

/** Starts the service and waits until it says where it listens. @param environment beside that of the cluster's node */
export async function startServiceProcess(
  { rpcUrl, wsUrl }: Pick<LocalCluster, 'rpcUrl' | 'wsUrl'>,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [await bundled('app/src/main.ts')], {
    env: { ...process.env, ...environment, RPC_URL: rpcUrl, WS_URL: wsUrl, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /"url":"(http:[^"]+)"[^\n]*"msg":"started"/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exit.then(() => reject(new Error(`the service ended before it was ready: ${output}`)));
  });
  return {
    url,
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
