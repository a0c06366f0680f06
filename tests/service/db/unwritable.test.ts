// PostgreSQL answers and refuses every write for a while: it is read-only, or its disk is full.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { expectIndexOf, recordsOnChain } from '#tests/cluster/chain-records.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { FULL_DISK_BYTES } from '#tests/chaos/store.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { asOwner, startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import { buyTokens } from '#tests/program/tokens.js';
import { initiate, ledgerProblems, reward, useRewardsScene } from '#tests/service/rewards.js';
import { eventually, finalize, untilIndexed } from '#tests/service/service.js';

interface Fault {
  readonly begin: (server: PostgresServer) => Promise<void>;
  readonly end: (server: PostgresServer) => Promise<void>;
  readonly said: RegExp;
}

const setReadOnly = async ({ url }: PostgresServer, readOnly: boolean) => {
  await asOwner(url, `alter system set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`);
  await asOwner(url, 'select pg_reload_conf()');
};
const FAULTS: Readonly<Record<string, Fault>> = {
  'is read-only': {
    begin: (server) => setReadOnly(server, true),
    end: (server) => setReadOnly(server, false),
    said: /^503 cannot be written: it is read-only: /,
  },
  'has a full disk': {
    begin: (server) => server.limitFiles(FULL_DISK_BYTES),
    end: (server) => server.limitFiles(undefined),
    said: /^503 (cannot be written|does not answer)/,
  },
};

if (DATABASE_KIND === 'postgres')
  describe('a service whose database', function () {
    this.timeout(180_000);
    const cluster = useCluster();
    let server: PostgresServer;
    let database: Database;

    before(async () => {
      server = await startPostgres();
      database = await openDatabase({ kind: 'postgres', url: await server.createDatabase(), poolSize: 20 });
    });
    const scene = useRewardsScene(cluster, () => ({ overrides: { database } }));
    after(() => server?.stop());

    async function writable(): Promise<string | undefined> {
      const metrics = await (await fetch(`${scene.service.url}/metrics`)).text();
      return /^curvekit_database_writable (\d)$/m.exec(metrics)?.[1];
    }
    async function ready(): Promise<string> {
      const answer = await fetch(`${scene.service.url}/ready`);
      const { checks } = (await answer.json()) as { checks: { database: string } };
      return `${answer.status} ${checks.database}`;
    }

    for (const [name, { begin, end, said }] of Object.entries(FAULTS))
      it(`${name} says so in a metric, and loses and doubles nothing`, async () => {
        const wallet = Keypair.generate();
        const { database, mint } = scene;
        await reward(database, wallet.publicKey, mint, 'SOL', SOL);
        await eventually(async () => (await writable()) === '1', 'a sound database', 40_000);
        await begin(server);
        const trader = await cluster().fundedWallet(10n * SOL);
        try {
          await buyTokens(cluster(), scene.token, trader, SOL);
          await eventually(async () => (await writable()) === '0', 'the metric');
          await eventually(async () => said.test(await ready()), `/ready to say ${said}`);
          const refused = await initiate(scene, wallet, { claimType: 'SOL' });
          expect(refused.status, refused.text).to.equal(503);
          await buyTokens(cluster(), scene.token, trader, SOL);
        } finally {
          await end(server);
        }
        await eventually(async () => (await writable()) === '1', 'the metric', 60_000);
        expect(await ready()).to.equal('200 ok');
        const expected = await recordsOnChain(cluster());
        await finalize(cluster());
        await untilIndexed({ database }, { records: expected.length, finalized: expected.length }, 60_000);
        await expectIndexOf(database.queries, expected, { finalized: true });
        let claimed = '';
        await eventually(
          async () => {
            const { status, text } = await initiate(scene, wallet, { claimType: 'SOL' });
            claimed = `${status} ${text}`;
            return status === 200;
          },
          () => `the claim: ${claimed}`,
          60_000,
        );
        expect(await ledgerProblems(database)).to.deep.equal([]);
      });
  });
