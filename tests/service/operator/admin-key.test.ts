// A key of the admin where the service runs: doctor and the start of the service warn of it.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { pino } from 'pino';
import { readConfig } from '#app/config/config.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService } from '#app/service.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { createCli, type Cli } from '#tests/service/cli.js';
import { findingsOf } from '#tests/service/doctor.js';
import { keyVariable, linesInto } from '#tests/service/service-context.js';

describe(`the admin's key where the service runs (${DATABASE_KIND})`, () => {
  const admin = Keypair.generate();
  /** No node is needed for this. */
  const environment = { RPC_URL: 'http://127.0.0.1:1', ADMIN_KEYPAIR: keyVariable(admin) };
  let cli: Cli;
  before(async () => (cli = await createCli(environment)));
  after(() => cli.close());

  const found = async (more: Record<string, string> = {}) =>
    (await findingsOf(cli, more)).find(({ subject }) => subject === 'ADMIN_KEYPAIR');

  it('is a warning of doctor, which says how to go on without it', async () => {
    const warned = await found();
    expect(warned).to.include({ state: 'warning', runbook: 'docs/recover.md#adminkeyinservice' });
    expect(warned?.detail).to.contain('the service can do without it');
    expect(warned?.fix)
      .to.contain(`set ADMIN_ADDRESS to ${admin.publicKey.toBase58()}`)
      .and.contain('curvekit fees sweep');
    expect((await found({ ROLE: 'api' }))?.detail).to.contain('the service does not use it');
    for (const without of [{ ADMIN_KEYPAIR: '' }, { SIMULATED_CLUSTER: 'on' }])
      expect(await found(without)).to.equal(undefined);
  });

  it('is one line of the log at start, without the key', async () => {
    const logged: { readonly level: number; readonly msg: string; readonly fix?: string }[] = [];
    for (const variables of [environment, { ...environment, ADMIN_KEYPAIR: '' }]) {
      const config = readConfig({ ...variables, PORT: '0', INDEXER: 'off', ROLE: 'api' });
      const service = await startService(config, {
        overrides: {
          database: await openTestDatabase(),
          logger: pino({ level: 'warn' }, linesInto(logged)),
          metrics: createMetrics({ ofProcess: false }),
        },
      });
      await service.stop();
    }
    const lines = logged.filter(({ msg }) => msg.includes('ADMIN_KEYPAIR'));
    expect(lines).to.have.length(1);
    expect(lines[0]?.fix).to.contain(admin.publicKey.toBase58());
    expect(JSON.stringify(logged)).not.to.contain(keyVariable(admin).slice(1, 40));
  });
});
