// What `/ready`, `/health` and `/metrics` report when a dependency of a service with INDEXER=off has a problem. threat: fault-in-code
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { Keypair } from '@solana/web3.js';
import { statement } from '#app/db/database.js';
import type { Job } from '#app/db/jobs/leader-job.js';
import { type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { reward } from '#tests/service/rewards.js';
import { eventually, finalize, startIndexer, testContext } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';
import { startTestService } from '#tests/service/test-service.js';

const MINT = 'So11111111111111111111111111111111111111112';
const LAG_LIMIT = 20;
const ALL_OK = {
  ...{ database: 'ok', rpc: 'ok', indexer: 'ok', transactions: 'ok' },
  ...{ payments: 'ok', peers: 'ok', ledger: 'ok' },
};

interface Said {
  readonly httpStatus: number;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

describe('health checks of a service', () => {
  const cluster = useCluster();
  let service: Service;
  let delaySeconds = '0';
  /** The indexer of another instance. */
  let indexer: Job;

  beforeEach(async () => {
    const environment = {
      ...{ PORT: '0', INDEXER: 'off', INDEXER_LAG_LIMIT_SLOTS: String(LAG_LIMIT) },
      SHUTDOWN_DELAY_SECONDS: delaySeconds,
    };
    service = await startTestService(cluster(), environment, { ledgerKeptMs: 1 });
    indexer = startIndexer(await testContext(cluster(), service.context.database));
  });
  afterEach(async () => {
    await indexer?.stop();
    await service?.stop();
  });

  async function ask(path: '/health' | '/ready'): Promise<Said> {
    const answer = await fetch(service.url + path);
    return { httpStatus: answer.status, ...((await answer.json()) as Omit<Said, 'httpStatus'>) };
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  }

  const untilReady = () =>
    eventually(
      async () => {
        const { httpStatus, checks } = await ask('/ready');
        // A warning alone does not make `/ready` fail.
        return httpStatus === 200 && checks['payments'] === 'ok';
      },
      'the service to be ready',
      60_000,
    );
  const untilOk = (...names: readonly string[]) =>
    eventually(
      async () => {
        const { checks } = await ask('/ready');
        return names.every((name) => checks[name] === 'ok');
      },
      names.join(' and '),
      60_000,
    );

  it('report a ledger that does not add up in /ready, /health and the metrics', async () => {
    const { database } = service.context;
    await reward(database, Keypair.generate().publicKey, MINT, 'SOL', SOL);
    expect(await metric('curvekit_ledger_problems')).to.equal(0);
    const add = (lamports: number) =>
      database.transaction(async (tx) => {
        // The triggers let balances change only through ledger entries.
        await tx.execute(sql`alter table ledger_accounts disable trigger user`);
        await statement(tx)`
          update ledger_accounts set balance = balance + ${lamports}::integer where kind = 'claimable'`;
        await tx.execute(sql`alter table ledger_accounts enable trigger user`);
      });
    await add(1);
    await eventually(async () => (await metric('curvekit_ledger_problems')) === 1, 'the metric');
    await untilOk('indexer', 'payments');
    const ready = await ask('/ready');
    expect([ready.httpStatus, ready.status, ready.checks]).to.deep.equal([
      503,
      'not ready',
      { ...ALL_OK, ledger: 'does not add up' },
    ]);
    expect(await ask('/health')).to.deep.equal({
      httpStatus: 200,
      status: 'ok',
      checks: { ledger: 'does not add up' },
    });
    await add(-1);
    await untilReady();
    // The metrics are kept for a quarter of a second.
    await eventually(async () => (await metric('curvekit_ledger_problems')) === 0, 'the metric');
  });

  it('report an index that is too far behind, also when another instance runs the indexer', async () => {
    await untilReady();
    await indexer.stop();
    await finalize(cluster());
    // Polls only the metrics: they are as fresh as the checks.
    await eventually(async () => (await metric('curvekit_indexer_lag_slots')) > LAG_LIMIT, 'the metric');
    const { httpStatus, checks } = await ask('/ready');
    expect(httpStatus).to.equal(503);
    expect({ ...checks, indexer: 'ok' }).to.deep.equal(ALL_OK);
    expect(checks['indexer']).to.match(/^is \d+ slots behind; at most 20 are allowed$/);
  });

  it('report a database that has stopped, and the service still answers', async () => {
    await untilReady();
    await indexer.stop();
    await service.context.database.close();
    await eventually(async () => (await ask('/ready')).httpStatus === 503, 'the check');
    const gone = {
      database: 'does not answer',
      rpc: 'ok',
      indexer: 'is not known',
      transactions: 'are not known',
      payments: 'cannot be read',
      peers: 'ok',
      ledger: 'cannot be read',
    };
    await eventually(
      async () => JSON.stringify((await ask('/ready')).checks) === JSON.stringify(gone),
      'every check to say so',
    );
    expect((await ask('/health')).httpStatus).to.equal(200);
    expect((await fetch(`${service.url}/metrics`)).status).to.equal(200);
  });

  describe('with SHUTDOWN_DELAY_SECONDS', () => {
    before(() => (delaySeconds = '1'));

    it('fail as soon as the service is told to stop, while it still serves: a balancer takes it out first', async () => {
      await untilReady();
      let isStopped = false;
      const stopping = service.stop().then(() => (isStopped = true));
      const { httpStatus, status } = await ask('/ready');
      expect([httpStatus, status, isStopped]).to.deep.equal([503, 'closing', false]);
      expect((await fetch(`${service.url}/v1/launchpad`)).status).to.equal(200);
      expect(isStopped).to.equal(false);
      await stopping;
      expect(await fetch(`${service.url}/ready`).catch(() => 'refused')).to.equal('refused');
    });
  });
});
