// `npm run capacity`: its figures are those of docs/service.md, and what it says follows from them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { MEASURED } from '../../scripts/capacity/figures.js';
import { capacityOf, idleOf, type Load } from '../../scripts/capacity/model.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = readFileSync(join(ROOT, 'docs/service.md'), 'utf8');
const LOAD: Load = {
  ...{ users: 1e6, trades: 300, activePercent: 10, watchingPercent: 1, reads: 60, claims: 2 },
  ...{ peak: 5, days: 365 },
};
const MONTH_S = 30 * 86_400;

/** The numbers in the column "Measured" of a row. */
function measured(row: RegExp): number[] {
  const line = SERVICE.split('\n').find((text) => row.test(text));
  expect(line, String(row)).not.to.equal(undefined);
  const cell = line!.split('|')[2]!;
  return (cell.match(/\d[\d,]*/g) ?? []).map((text) => Number(text.replaceAll(',', '')));
}

describe('npm run capacity', () => {
  it('counts with the figures of docs/service.md', () => {
    expect(measured(/GET \/rewards\/:address`, in % of the signatures/)).to.include(MEASURED.readsPerSecond);
    expect(measured(/claims initiated/)).to.include(MEASURED.claimsPerSecond);
    expect(measured(/back-fill of/)).to.include(MEASURED.backFillPerSecond);
    expect(measured(/memory of the service for a reader/)).to.include(MEASURED.readerKib);
    expect(measured(/a trade takes on disk/)).to.include(MEASURED.bytesPerTrade);
    expect(SERVICE)
      .to.contain('| 10,000 readers of the stream')
      .and.to.contain('| 10,000 trades/s from a gRPC feed');
    expect([MEASURED.readers, MEASURED.tradesPerSecond]).to.deep.equal([10_000, 10_000]);
  });

  it('counts idle instances with the figures of docs/capacity.md', () => {
    const page = readFileSync(join(ROOT, 'docs/capacity.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const { idleConnections, idleDatabaseCores, idleInstances } = MEASURED;
    expect(page).to.contain(`starts ${idleInstances} instances on one database`);
    expect(page).to.contain(`they take of the database ${idleConnections} connections each`);
    expect(page).to.contain(`and ${idleDatabaseCores} cores in all`);
    expect(idleOf(idleInstances)).to.deep.equal({ connections: 1_200, databaseCores: idleDatabaseCores });
    expect(page).to.match(/\| connections of 200 idle instances +\| 1,200 /);
    expect(capacityOf(LOAD).idle).to.deep.equal({ connections: 12, databaseCores: 0.005 });
  });

  it('says how much of each part a load needs', () => {
    const { parts, instances, cores, diskGib, first } = capacityOf(LOAD);
    const part = (name: string) => parts.find((one) => one.name === name)!;
    // 100,000 active users, 60 requests each, five times the average.
    expect(part('instances, for requests').load).to.be.closeTo(347.2, 0.1);
    expect(part('instances, for open pages').load).to.equal(10_000);
    expect([instances, cores]).to.deep.equal([2, 4]);
    expect(part('the database, for claims').load).to.be.closeTo((2e6 / MONTH_S) * 5, 1e-9);
    expect(first.name).to.equal('the indexer, after an outage');
    expect(first.busyPercent).to.be.closeTo((300 / MEASURED.backFillPerSecond) * 100, 1e-9);
    expect(part('the indexer, live').busyPercent).to.equal(3);
    expect(diskGib).to.be.closeTo((60 * 86_400 * 365 * MEASURED.bytesPerTrade) / 2 ** 30, 1e-6);
  });

  it('needs more for more, and never less than two instances', () => {
    const of = (factor: number) =>
      capacityOf({ ...LOAD, users: LOAD.users * factor, trades: LOAD.trades * factor });
    for (const [less, more] of [
      [1e-6, 1],
      [1, 10],
      [10, 1_000],
    ] as const) {
      expect(of(more).instances).to.be.at.least(of(less).instances);
      expect(of(more).diskGib).to.be.greaterThan(of(less).diskGib);
      expect(of(more).first.busyPercent).to.be.greaterThan(of(less).first.busyPercent!);
    }
    expect(of(1e-6).instances).to.equal(2);
    // Open pages need the most: each instance has at most half of what was measured.
    expect(of(1_000).instances).to.equal((1_000 * 10_000) / (MEASURED.readers / 2));
  });

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('npx', ['tsx', 'scripts/capacity/main.ts', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('names the part that gives in first, or has given in', () => {
    expect(run().stdout).to.match(/^First gives in: the indexer, after an outage, at 26 times this load\.$/m);
    const much = run('--users', '10e6', '--trades', '15000');
    expect(much.status).to.equal(0);
    expect(much.stdout).to.match(/the indexer, live +15,000 +10,000 +trades\/s +150 % busy/);
    expect(much.stdout).to.match(
      /^Too much: the indexer, after an outage has never been measured with more than 52 % of this load\.$/m,
    );
    expect(JSON.parse(run('--json').stdout)).to.include({ instances: 2 });
  });

  it('refuses what is no number, and names the option', () => {
    for (const [option, value] of [
      ['--users', '0'],
      ['--users', '-5'],
      ['--trades', 'many'],
      ['--watching', '101'],
    ] as const) {
      const { status, stderr } = run(`${option}=${value}`);
      expect(status).to.equal(2);
      expect(stderr).to.contain(`${option} is '${value}'; it must be a number from`);
    }
  });
});
