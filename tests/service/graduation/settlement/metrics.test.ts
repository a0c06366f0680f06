// The metrics of settlements: read from the database at a scrape, at most once a second.
import { expect } from 'chai';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { registerSettlementMetrics, type ReportCounter } from '#app/graduation/settlement/settlement-job.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { insertOpenSettlement } from '#tests/database/open-settlement.js';
import { useStandingClock } from '#tests/mocha/standing-clock.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { contextFrom } from '#tests/service/service-context.js';

describe(`the metrics of settlements (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const clock = useStandingClock();
  const logged: Readonly<Record<string, unknown>>[] = [];
  let context: Context;
  let reports: ReportCounter;

  beforeEach(async () => {
    const made = await contextFrom({ RPC_URL: 'http://localhost:1' }, await openTestDatabase());
    context = { ...made, logger: pino({ level: 'debug' }, linesInto(logged)) };
    reports = registerSettlementMetrics(context);
    logged.length = 0;
  });
  afterEach(() => context.database.close());

  const scrape = async () => {
    const lines = (await context.metrics.registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith('curvekit_settlement'));
  };
  const gauges = (waiting: number | string, sampling: number | string, others: number | string = 0) => [
    `curvekit_settlements_waiting ${waiting}`,
    `curvekit_settlements_troubled ${others}`,
    `curvekit_settlements_sampling ${sampling}`,
    `curvekit_settlement_last_pass_timestamp_seconds ${others}`,
  ];

  it('are those of the database, at most a second old', async () => {
    expect(await scrape()).to.deep.equal(gauges(0, 0));
    await insertOpenSettlement(context.database, 'one', 0, { state: 'sampling' });
    await insertOpenSettlement(context.database, 'two', 0, { attempts: 1 });
    clock.ms += 999;
    expect(await scrape()).to.deep.equal(gauges(0, 0));
    clock.ms += 1;
    expect(await scrape()).to.deep.equal(gauges(1, 1));
  });

  it('count the reports of this instance by outcome', async () => {
    for (const outcome of ['settled', 'failed', 'settled']) reports.inc({ outcome });
    expect((await scrape()).slice(4).sort()).to.deep.equal([
      'curvekit_settlements_total{outcome="failed"} 1',
      'curvekit_settlements_total{outcome="settled"} 2',
    ]);
  });

  it('are not a number while the database is away, and the log says why', async () => {
    await context.database.close();
    expect(await scrape()).to.deep.equal(gauges('Nan', 'Nan', 'Nan'));
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.deep.include({ level: 20, msg: 'the gauges of settlements could not be read' });
    expect(logged[0]).to.have.property('err');
  });
});
