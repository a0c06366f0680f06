/** `npm run bench`: runs the benchmarks one after the other, each in its own process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BENCHES = {
  cu: ['program/compute-units.ts', 'compute units and bytes of every instruction, on a local cluster'],
  http: [
    'http/http.ts',
    'requests per second of the service, compared with bare Express and bare signature checks',
  ],
  overload: ['indexer/overload.ts', 'indexing more trades a second than the machine can, with kills'],
  page: ['page/page.ts', 'the page on a slow phone, and with 100 trades a second on one token'],
} as const;
type Name = keyof typeof BENCHES;

const HELP = `npm run bench [-- NAME...] [OPTIONS]

Runs every benchmark, or those named:

${Object.entries(BENCHES)
  .map(([name, [, about]]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

  --json   one JSON document for each
  --check  exit code 1 when a figure is outside its limit

A single benchmark takes options of its own: npm run bench -- cu --help`;

const args = process.argv.slice(2);
const first = args.findIndex((arg) => arg.startsWith('-'));
const named = first === -1 ? args : args.slice(0, first);
const options = first === -1 ? [] : args.slice(first);
const unknown = named.find((name) => !(name in BENCHES));
if (unknown !== undefined || (named.length === 0 && options.includes('--help'))) {
  if (unknown !== undefined) console.error(`there is no benchmark '${unknown}'\n`);
  console.log(HELP);
  process.exitCode = unknown === undefined ? 0 : 2;
} else {
  for (const name of (named.length === 0 ? Object.keys(BENCHES) : named) as Name[]) {
    const file = join(import.meta.dirname, BENCHES[name][0]);
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...options], {
      stdio: 'inherit',
    });
    // A benchmark exits with 1 when a figure is outside its limit. The others still run.
    if (status !== 0) process.exitCode = Math.max(Number(process.exitCode ?? 0), status ?? 1);
  }
}
