import { parseArgs } from 'node:util';

export interface BenchFlags {
  readonly json?: boolean | undefined;
  readonly check?: boolean | undefined;
}

/** Runs a benchmark with the options `--json` and `--check`, or prints its help. */
export async function runBench(
  help: string,
  bench: (flags: BenchFlags) => Promise<void> | void,
): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) console.log(help);
  else await bench(values);
}
