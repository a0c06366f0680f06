// Runs the measured process until the settlement is done, and starts it again each time that it was killed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { SettlementReport } from '#app/settlement/report.js';
import type { SettlementStep } from '#app/settlement/settle.js';
import { bundled } from '#tests/process/bundled.js';

/** What the measured process reports after each step. */
export interface Progress {
  readonly step: SettlementStep | 'started' | 'ended';
  /** Unix milliseconds. */
  readonly at: number;
  readonly bytes: number;
  readonly peakBytes: number;
  readonly cpuSeconds: number;
  /** At the end. */
  readonly outcome?: SettlementReport['outcome'];
  readonly problems?: readonly string[];
  readonly settlement?: number | undefined;
}

/** Calls back at the moment to kill the process. */
export type Moment = (kill: () => void) => void;

export interface Run {
  readonly settlement: number;
  readonly kills: number;
  /** When each step was done last, in seconds since the first process was ready. */
  readonly steps: Readonly<Partial<Record<Progress['step'], number>>>;
  /** CPU time of the settling processes. */
  readonly cpuSeconds: number;
  readonly startBytes: number;
  readonly peakBytes: number;
}

/**
 * Settles a token.
 *
 * @param moments when to kill the first process, the second one and so on
 * @throws Error when it is not settled
 */
export async function runSettlement(
  mint: string,
  environment: Readonly<Record<string, string>>,
  moments: readonly Moment[],
): Promise<Run> {
  const at: Partial<Record<Progress['step'], number>> = {};
  let startedAt: number | undefined;
  let [cpuSeconds, startBytes, peakBytes] = [0, 0, 0];
  for (let processes = 0; ; processes += 1) {
    let last: Progress | undefined;
    await runProcess(mint, environment, moments[processes], (progress) => {
      startedAt ??= progress.at;
      if (progress.step === 'started') startBytes = Math.max(startBytes, progress.bytes);
      peakBytes = Math.max(peakBytes, progress.peakBytes);
      at[progress.step] = (progress.at - startedAt) / 1_000;
      last = progress;
    });
    cpuSeconds += last?.cpuSeconds ?? 0;
    if (last?.step !== 'ended') {
      if (processes < moments.length) continue;
      throw new Error(`the settling process ended after the step '${last?.step ?? 'none'}'`);
    }
    if (last.outcome !== 'settled' || last.settlement === undefined)
      throw new Error(`the settlement: ${last.outcome}: ${last.problems?.join(', ')}`);
    return { settlement: last.settlement, kills: processes, steps: at, cpuSeconds, startBytes, peakBytes };
  }
}

async function runProcess(
  mint: string,
  environment: Readonly<Record<string, string>>,
  moment: Moment | undefined,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const child = fork(await bundled('bench/settlement/process.ts'), [mint], {
    execArgv: [],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.on('message', (message) => onProgress(message as Progress));
  moment?.(kill);
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  process.off('exit', kill);
}
