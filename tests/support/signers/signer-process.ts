// `curvekit signer` as an operator runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Keypair } from '@solana/web3.js';
import { bundled } from '#tests/process/bundled.js';
import { outputOf } from '#tests/process/output.js';
import { keyVariable } from '#tests/service/service-context.js';

export interface SignerProcess {
  /** The value of TREASURY_KEYPAIR for a service. */
  readonly url: string;
  readonly logged: () => string;
  /** @returns the exit code; null after SIGKILL */
  end(signal: NodeJS.Signals): Promise<number | null>;
  freeze(): void;
  thaw(): void;
}

/**
 * @param args besides the socket
 * @param environment besides the key
 * @throws Error with its output when it ends before it serves
 */
export async function startSignerProcess(
  socket: string,
  treasury: Keypair,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<SignerProcess> {
  const command = [await bundled('app/src/operator/main.ts'), 'signer', '--socket', socket, ...args];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment, TREASURY_KEYPAIR: keyVariable(treasury) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const { printed, until } = outputOf(child);
  const [, url] = await until(/^TREASURY_KEYPAIR=(\S+)$/m);
  return {
    url: url!,
    logged: printed,
    end: async (signal) => {
      child.kill(signal);
      const [code] = (await exit) as [number | null];
      return code;
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
}
