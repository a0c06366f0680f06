// docs/scaling.md names only what exists, and its numbers are those of the capacity model and of docs/service.md.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { grouped } from '#app/cli/table.js';
import { ALL_VARIABLES } from '#app/config/environment.js';
import { ROLES } from '#app/config/roles.js';
import { helpOf } from '#tests/service/cli-help.js';
import { MEASURED } from '../../scripts/capacity/figures.js';
import { loadOf, NAMES, OPTIONS, type Option } from '../../scripts/capacity/load.js';
import { capacityOf, type Capacity } from '../../scripts/capacity/model.js';
import { rounded } from '../../scripts/capacity/rounded.js';
import { ALERTS } from '../../scripts/operator-kit/alerts.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = textOf('docs/scaling.md');
/** Blocks and spans of code. */
const CODE = [...PAGE.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span!);
const STAGES = ['two machines', 'ten', 'a hundred', 'three hundred'];

/** Each match in the code, once. */
function named(pattern: RegExp): string[] {
  return [...new Set(CODE.flatMap((code) => [...code.matchAll(pattern)].map(([, name]) => name!)))];
}

/** The row of `npm run capacity` with these options. */
function capacityWith(options: string): Capacity {
  const given = new Map(
    [...options.matchAll(/--(\w+) ([\d.e]+)/g)].map(([, name, value]) => [name!, Number(value)]),
  );
  expect([...given.keys()].filter((name) => !(NAMES as readonly string[]).includes(name))).to.deep.equal([]);
  return capacityOf(loadOf((option: Option) => given.get(option) ?? OPTIONS[option].preset));
}

describe('docs/scaling.md', () => {
  it('names variables that the service reads', () => {
    // With a dollar it is the operator's own.
    const names = named(/(?<![$\w])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?!')/g);
    const given = named(/(?<![$\w])([A-Z][A-Z0-9_]*)=/g);
    expect(names).to.include.members(['DATABASE_URL', 'YELLOWSTONE_URL']);
    expect(given).to.include.members(['ROLE', 'STREAMS', 'HOST']);
    expect([...names, ...given].filter((name) => !ALL_VARIABLES.includes(name))).to.deep.equal([]);
  });

  it('names roles that a process can have', () => {
    const names = [...named(/\bROLE=(\w+)/g), ...named(/--role (\w+)/g)];
    expect([...new Set(names)].sort()).to.deep.equal([...ROLES].sort());
  });

  it('names scripts and benchmarks that npm can run', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const names = [...named(/npm run ([\w:]+)/g), ...named(/npm (start)\b/g)];
    expect(names).to.include.members(['capacity', 'start']);
    expect(names.filter((name) => !(name in scripts))).to.deep.equal([]);
    const benches = textOf('bench/main.ts');
    expect(
      named(/npm run bench -- (\w+)/g).filter((name) => !benches.includes(`  ${name}: {`)),
    ).to.deep.equal([]);
  });

  it('names commands of curvekit, with options that they have', async () => {
    const used = CODE.flatMap((code) => [...code.matchAll(/npx curvekit ([\w-]+)([^\n&#]*)/g)]);
    expect(used.length).to.be.at.least(6);
    for (const [, command, rest] of used) {
      const help = await helpOf(command!);
      expect(help, command).not.to.equal(undefined);
      for (const [option] of rest!.matchAll(/--[\w-]+/g)) expect(help, command).to.contain(option);
    }
    expect(await helpOf('no-such-command')).to.equal(undefined);
  });

  it('names metrics that the service has, and alerts with their paragraphs', () => {
    // A test compares the dashboard with the metrics of a running service.
    const metrics = new Set(textOf('deploy/grafana/curvekit.json').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g));
    const roles = new Set([...PAGE.matchAll(/create role (\w+)/g)].map(([, role]) => role));
    const names = named(/\b((?:curvekit|process|nodejs)_\w+)/g).filter((name) => !roles.has(name));
    expect(names.length).to.be.at.least(8);
    expect(names.filter((name) => !metrics.has(name))).to.deep.equal([]);
    const alerts = [...PAGE.matchAll(/\[(\w+)\]\(runbook\.md#(\w+)\)/g)];
    expect(alerts.length).to.be.at.least(4);
    for (const [, name, anchor] of alerts) {
      expect(ALERTS.map((alert) => alert.name)).to.include(name);
      expect(name!.toLowerCase()).to.equal(anchor);
      expect(textOf('docs/runbook.md')).to.match(new RegExp(`^##+ ${name}$`, 'm'));
    }
  });

  it('names files of the repository', () => {
    const files = named(/\b(deploy\/[\w./-]+)/g);
    expect(files.length).to.be.at.least(4);
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });

  it('has the rows that the capacity model gives', () => {
    const rows = PAGE.split('\n')
      .filter((line) => /^\| .*`--/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows.map(([, stage]) => stage)).to.deep.equal(STAGES);
    for (const [, stage, options, ...cells] of rows) {
      const { instances, cores, memoryGib, idle, first } = capacityWith(options!);
      expect(cells.slice(0, 5), stage).to.deep.equal([
        grouped(instances),
        grouped(cores),
        `${rounded(memoryGib)} GiB`,
        grouped(idle.connections),
        `${first.name}: ${rounded(first.busyPercent!)} %`,
      ]);
    }
  });

  it('has the limits and signs that were measured', () => {
    const words = PAGE.replaceAll(/\s+/g, ' ');
    const limits = [MEASURED.tradesPerSecond, MEASURED.backFillPerSecond, MEASURED.claimsPerSecond];
    const [live, behind, claims] = limits.map(grouped);
    expect(words).to.contain(
      `${live} trades a second, ${behind} while the index catches up after an outage, ${claims} claims a second`,
    );
    expect(words).to.contain(`stays below ${claims}`);
    expect(words).to.contain(`reaches ${grouped(MEASURED.readers / 2)} on an instance`);
    expect(words).to.contain(`STREAMS=${MEASURED.readers} `);
    expect(words).to.contain(`has ${MEASURED.idleConnections} connections when idle`);
    expect(words).to.contain('before 2,000 trades a second');
    expect(textOf('docs/service.md')).to.contain('| 2,000 trades/s as they are confirmed');
  });
});
