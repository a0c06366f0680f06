// Mutants of the SDK's pool maths, each with one wrong rounding or fee.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';
import type { Maths } from './replay.js';

const SOURCE = join(ROOT, 'sdk', 'src', 'amm', 'raydium-cpmm', 'maths.ts');

/** A description, the piece of source, and its replacement. */
const MUTATIONS: readonly (readonly [what: string, piece: string, instead: string])[] = [
  [
    'the fee rounded down',
    'ceilDiv(amountIn * inputRate, RATE_WHOLE)',
    '(amountIn * inputRate) / RATE_WHOLE',
  ],
  [
    'the output rounded up',
    '(net * pool[output]) / (pool[input] + net)',
    'ceilDiv(net * pool[output], pool[input] + net)',
  ],
  ['the fee left in the price', '(pool[input] + net);', '(pool[input] + amountIn);'],
  [
    "the creator's part of the input fee rounded up",
    '(inputFee * pool.creatorFeeRate) / inputRate',
    'ceilDiv(inputFee * pool.creatorFeeRate, inputRate)',
  ],
  [
    "the creator's output fee rounded down",
    'ceilDiv(traded * pool.creatorFeeRate, RATE_WHOLE)',
    '(traded * pool.creatorFeeRate) / RATE_WHOLE',
  ],
  ['the creator fee on the other side', 'creatorFeeSide === input;', 'creatorFeeSide !== input;'],
  [
    "the protocol's part rounded up",
    '(tradeFee * pool.protocolFeeRate) / RATE_WHOLE',
    'ceilDiv(tradeFee * pool.protocolFeeRate, RATE_WHOLE)',
  ],
  [
    "the fund's part rounded up",
    '(tradeFee * pool.fundFeeRate) / RATE_WHOLE',
    'ceilDiv(tradeFee * pool.fundFeeRate, RATE_WHOLE)',
  ],
  ["the protocol's part left in the pool", '- protocolFee', ''],
  ["the fund's part left in the pool", '- fundFee', ''],
  ["the creator's part left in the pool", '- creatorInputFee;\n  const reserveOut', ';\n  const reserveOut'],
  [
    'the fee of an exact output rounded down',
    'ceilDiv(amount * RATE_WHOLE, RATE_WHOLE - rate)',
    '(amount * RATE_WHOLE) / (RATE_WHOLE - rate)',
  ],
  [
    'the input of an exact output rounded down',
    'ceilDiv(pool[input] * traded, left)',
    '(pool[input] * traded) / left',
  ],
];

export interface Mutant {
  readonly what: string;
  readonly load: () => Promise<Maths>;
}

/** @throws Error for a piece that does not occur in the source exactly once */
export function mathsMutants(): readonly Mutant[] {
  const source = readFileSync(SOURCE, 'utf8');
  return MUTATIONS.map(([what, piece, instead]) => {
    if (source.split(piece).length !== 2) throw new Error(`maths.ts has not exactly one '${piece}'`);
    return { what, load: () => load(source.replace(piece, instead)) };
  });
}

async function load(source: string): Promise<Maths> {
  const stdin = { contents: source, loader: 'ts' as const, resolveDir: dirname(SOURCE) };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm' });
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as Maths;
}
