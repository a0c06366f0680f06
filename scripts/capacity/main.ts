/** `npm run capacity`: what an installation of a size needs, and which part of it gives in first. */
import { parseArgs } from 'node:util';
import { grouped, renderTable, showsColour } from '#app/cli/table.js';
import { runCommand, UsageError } from '../command-line.js';
import { loadOf, NAMES, OPTIONS, type Option } from './load.js';
import { capacityOf, type Capacity, type Load, type Part } from './model.js';
import { rounded } from './rounded.js';

const HELP = `npm run capacity [-- --users N] [-- --trades N] [-- OTHERS] [-- --json]

Computes from the measured figures of docs/service.md what an installation needs, and which part gives in first. A number may be
written as 10e6.

${NAMES.map((name) => `  --${name.padEnd(9)} N  ${OPTIONS[name].about} (${grouped(OPTIONS[name].preset)})`).join('\n')}
  --json         one JSON document`;

const { values } = parseArgs({
  options: {
    ...(Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])) as Record<
      Option,
      { type: 'string' }
    >),
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

runCommand(HELP, () => {
  if (values.help === true) return console.log(HELP);
  const load = loadOf(given);
  const capacity = capacityOf(load);
  console.log(values.json === true ? JSON.stringify({ load, ...capacity }) : textOf(load, capacity));
});

function given(name: Option): number {
  const { preset, least, most } = OPTIONS[name];
  const text = values[name];
  if (text === undefined) return preset;
  const value = /^\d+(\.\d+)?(e\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} is '${text}'; it must be a number from ${grouped(least)} to ${grouped(most)}, such as 10e6`,
  );
}

function textOf({ users }: Load, capacity: Capacity): string {
  const { parts, instances, cores, memoryGib, diskGib, idle, first } = capacity;
  const table = renderTable(
    [
      { title: 'part' },
      { title: 'load', align: 'right' },
      { title: 'measured', align: 'right' },
      { title: '' },
      { title: 'needed', align: 'right' },
    ],
    parts.map((part) => ({
      cells: [part.name, rounded(part.load), rounded(part.measured), part.unit, neededOf(part)],
      style: (part.busyPercent ?? 0) > 100 ? 'red' : undefined,
    })),
    showsColour(process.stdout),
  );
  const perMillion = (amount: number) => rounded((amount / users) * 1e6);
  return [
    table,
    '',
    `${instances} instances: ${cores} cores, ${rounded(memoryGib)} GiB of memory. The database: ${rounded(diskGib)} GiB of disk.`,
    `Without requests they take ${grouped(idle.connections)} connections of the database and ${rounded(idle.databaseCores)} of its cores.`,
    `For a million users: ${perMillion(cores)} cores, ${perMillion(memoryGib)} GiB of memory, ${perMillion(diskGib)} GiB of disk.`,
    firstOf(first),
  ].join('\n');
}

function neededOf({ needed, busyPercent }: Part): string {
  return needed === undefined ? `${rounded(busyPercent ?? 0)} % busy` : rounded(needed);
}

function firstOf({ name, busyPercent = 0 }: Part): string {
  if (busyPercent === 0) return 'Nothing gives in: only parts of which there can be more have a load.';
  return busyPercent > 100
    ? `Too much: ${name} has never been measured with more than ${rounded(10_000 / busyPercent)} % of this load.`
    : `First gives in: ${name}, at ${rounded(100 / busyPercent)} times this load.`;
}
