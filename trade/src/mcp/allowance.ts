// What an agent may trade for: a limit for each call, and one for each day that outlives restarts.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatSol } from '@curvekit/sdk';
import { CommandError } from '../errors.js';
import { configFolder } from '../known-launchpads.js';
import type { Terminal } from '../terminal.js';

export interface Limits {
  /** Lamports. */
  readonly perCall: bigint;
  readonly perDay: bigint;
}

export class Allowance {
  constructor(
    private readonly environment: Terminal['environment'],
    private readonly limits: Limits,
  ) {}

  /**
   * Takes lamports of today's limit (UTC) before a trade is sent. Each is a line that is appended, so that two servers at once see
   * each other's.
   *
   * @returns gives them back, when nothing was traded
   * @throws CommandError when they are more than a limit leaves; then nothing is taken
   */
  take(lamports: bigint): () => void {
    const { perCall, perDay } = this.limits;
    if (lamports > perCall)
      throw new CommandError(
        `the trade is worth ${formatSol(lamports)} SOL, and --limit allows ${formatSol(perCall)} SOL for each call; trade less, or ask the user to start the server with a higher --limit`,
      );
    const file = this.#file();
    const giveBack = () => appendFileSync(file, `${-lamports}\n`);
    appendFileSync(file, `${lamports}\n`);
    const taken = linesOf(file).reduce((sum, line) => sum + BigInt(line), 0n);
    if (taken <= perDay) return giveBack;
    giveBack();
    throw new CommandError(
      `the trade is worth ${formatSol(lamports)} SOL, and ${formatSol(perDay - taken + lamports)} SOL are left of the day's ${formatSol(perDay)} SOL (--day-limit); trade less, or tomorrow (UTC)`,
    );
  }

  #file(): string {
    const folder = configFolder(this.environment);
    mkdirSync(folder, { recursive: true });
    return join(folder, `traded-${new Date().toISOString().slice(0, 10)}.txt`);
  }
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);
