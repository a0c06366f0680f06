// The demo's command line options.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { clusterName, UsageError, wholeNumber } from '../scripts/command-line.js';

export const HELP = `npm run demo [-- OPTIONS]

A token's life on a real local cluster: deployed program, launch, trades, graduation, migration; then its history,
rebuilt from the program's log records alone and compared with the chain. Exit code 1 when they differ.

  --cluster WHERE  surfpool (the default), validator (solana-test-validator from PATH), or an RPC URL
  --tokens N       instead of the story, N launches at once with random trades, 1 to 1,000
  --seed S         seed of the random trades, 0 to 4294967295; a new one each time when left out
  --json           one JSON document on standard output, every amount a string in lamports or smallest token units
  --help           print this`;

export interface DemoOptions {
  readonly cluster: string;
  /** How many launches at once. Undefined for the story of one token. */
  readonly tokens: number | undefined;
  /** A 32-bit unsigned integer. */
  readonly seed: number;
  readonly json: boolean;
}

const MAX_TOKENS = 1_000;
const MAX_SEED = 0xffff_ffff;

/** @returns undefined for `--help`. @throws UsageError */
export function parseOptions(args: readonly string[]): DemoOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cluster: { type: 'string', default: 'surfpool' },
      tokens: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { cluster, tokens, seed, json, help } = values;
  if (help === true) return undefined;
  if (seed !== undefined && tokens === undefined) {
    throw new UsageError('--seed is for random trades only; add --tokens N');
  }
  return {
    cluster: clusterName(cluster),
    tokens: tokens === undefined ? undefined : wholeNumber('--tokens', tokens, 1, MAX_TOKENS),
    seed: seed === undefined ? randomInt(MAX_SEED + 1) : wholeNumber('--seed', seed, 0, MAX_SEED),
    json: json === true,
  };
}
