/** `npm run nightly`: what takes hours, one after the other, and a table of what came of it. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { renderTable, showsColour } from '#app/cli/table.js';
import { CommandError, runCommand, UsageError } from './command-line.js';

/** Commands of package.json. */
const JOBS: Readonly<Record<string, { readonly args: readonly string[]; readonly about: string }>> = {
  proofs: {
    args: ['prove', '--', '--mutants'],
    about: 'each altered operation of the arithmetic breaks a proof, 4 min',
  },
  fuzz: { args: ['fuzz', '--', '--steps', '10000000'], about: '10,000,000 random steps, 30 to 60 min' },
  kills: {
    args: ['chaos', '--', '--kills', '1000'],
    about: 'the service is killed 1,000 times on PostgreSQL, 60 min',
  },
  'kills-embedded': {
    args: ['chaos', '--', '--kills', '200', '--database', 'pglite'],
    about: 'the same 200 times on the embedded database, 30 min',
  },
  mutants: {
    args: ['mutants'],
    about: 'each altered place of the programs is noticed by the fuzzer, several hours',
  },
  'mutants-service': {
    args: ['mutants:service', '--', '--again'],
    about: "each altered place of the service's money code is noticed by its tests, several hours",
  },
};

const HELP = `npm run nightly [-- --only NAME[,NAME]]

Runs what takes too long for each change, one after the other. A failure does not stop the others.

${Object.entries(JOBS)
  .map(([name, { about }]) => `  ${name.padEnd(16)}${about}`)
  .join('\n')}

Exit code 1 when one of them fails.`;

const { values } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});

runCommand(HELP, () => {
  if (values.help === true) return console.log(HELP);
  const names = values.only?.split(',') ?? Object.keys(JOBS);
  const unknown = names.find((name) => !(name in JOBS));
  if (unknown !== undefined)
    throw new UsageError(`--only is '${unknown}'; it must be ${Object.keys(JOBS).join(', ')}`);
  const rows = names.map((name) => {
    const started = performance.now();
    console.error(`nightly: ${name}: ${JOBS[name]!.about}`);
    const { status } = spawnSync('npm', ['run', '--silent', ...JOBS[name]!.args], { stdio: 'inherit' });
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    return { name, minutes, end: status === 0 ? 'passed' : 'failed' };
  });
  const table = renderTable(
    [{ title: 'job' }, { title: 'time', unit: 'min', align: 'right' }, { title: 'end' }],
    rows.map(({ name, minutes, end }) => ({ cells: [name, minutes, end] })),
    showsColour(process.stdout),
  );
  console.log(table);
  const failed = rows.filter(({ end }) => end === 'failed').length;
  if (failed > 0) throw new CommandError(`${failed} of ${rows.length} failed`);
});
