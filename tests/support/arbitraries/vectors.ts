// Calls of the Rust curve with their results. proofs/model/compare.ml describes the lines.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { requireCargo } from '#tests/process/cargo.js';
import { MANIFEST, PROOFS } from '../../../scripts/prove/paths.js';

/** A trade, and the Rust curve's result. In lamports and token base units. */
export interface Vector {
  readonly isBuy: boolean;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly feeBps: number;
  /** Without effect on a sell. */
  readonly graduationReserve: bigint;
  readonly amount: bigint;
  readonly minimum: bigint;
  readonly outcome: Outcome;
}

/** The result of a trade, or the error code of the refusal. */
type Outcome =
  | { readonly refusal: 6003 | 6005 }
  | {
      readonly refusal?: undefined;
      /** Tokens out, net and fee of a buy; gross, fee and SOL out of a sell. */
      readonly amounts: readonly [bigint, bigint, bigint];
      readonly virtualSol: bigint;
      readonly virtualToken: bigint;
      readonly graduates: boolean;
    };

/**
 * The fields of each call. The same seed gives the same calls. Compiles the generator first if needed.
 *
 * @throws Error when cargo is missing, or the generator fails or ends early
 */
export async function* rustCalls(count: number, seed: bigint): AsyncGenerator<readonly string[]> {
  requireCargo('the Rust curve makes the trades that the TypeScript one is checked against');
  const build = ['--quiet', '--locked', '--manifest-path', MANIFEST, '--target-dir', `${PROOFS}/target`];
  const command = ['run', ...build, '--bin', 'trades', '--', `${count}`, `${seed}`];
  const generator = spawn('cargo', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => generator.once('close', resolve));
  let made = 0;
  try {
    for await (const line of createInterface(generator.stdout)) {
      made += 1;
      yield line.split(' ');
    }
    const code = await ended;
    if (code !== 0 || made !== count)
      throw new Error(`cargo ${command.join(' ')} made ${made} calls and ended with code ${code}`);
  } finally {
    generator.kill();
  }
}

/** Undefined for a call that is no trade. */
export function tradeIn([kind, virtualSol, virtualToken, feeBps, ...rest]: readonly string[]):
  Vector | undefined {
  if (kind !== 'buy' && kind !== 'sell') return undefined;
  const isBuy = kind === 'buy';
  const [graduationReserve, amount, minimum, result, ...made] = isBuy ? rest : ['0', ...rest];
  return {
    isBuy,
    feeBps: Number(feeBps),
    ...bigints({ virtualSol, virtualToken, graduationReserve, amount, minimum }),
    outcome: outcomeOf(result!, made),
  };
}

function outcomeOf(
  result: string,
  [first, second, third, virtualSol, virtualToken, graduates]: string[],
): Outcome {
  if (result !== 'ok') return { refusal: result === 'slippage' ? 6003 : 6005 };
  const amounts = [first, second, third].map((amount) => BigInt(amount!)) as [bigint, bigint, bigint];
  return { amounts, ...bigints({ virtualSol, virtualToken }), graduates: graduates === '1' };
}

function bigints<Name extends string>(texts: Record<Name, string | undefined>): Record<Name, bigint> {
  const entries = Object.entries<string | undefined>(texts).map(([name, text]) => [name, BigInt(text!)]);
  return Object.fromEntries(entries) as Record<Name, bigint>;
}
