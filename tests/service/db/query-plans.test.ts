// No query of a request or a job reads a table that grows as a whole, and none reads too many rows of it: the service runs on a database as
// after years, gets every request, lets the jobs work, and its plans are read.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql, type SQL } from 'drizzle-orm';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { paymentsHeldText } from '#app/ledger/gate/functions.js';
import { credit } from '#app/ledger/credit.js';
import { trimEvents } from '#app/market/stream/outbox.js';
import { issueKey } from '#app/partners/keys.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { sharedPostgres, postgresWithTables } from '#tests/database/database.js';
import { fillGrown } from '#tests/database/grown-tables.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { clusterEnvironment, keyVariable } from '#tests/service/service-context.js';
import { passSlots } from '#tests/cluster/blocks.js';
import { eventually, finalize } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { explainingUrl, Plans, type PlanMode } from './plans/plans.js';
import { requestAll } from './plans/requests.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** Large enough that PostgreSQL prefers an index for everything that an index can answer. */
const SIZES = { tokens: 20_000, trades: 50_000, rewards: 20_000, others: 10_000 };
/** PostgreSQL plans a prepared statement for its parameters, and later once for all parameters. */
const MODES: readonly PlanMode[] = ['auto', 'force_generic_plan'];

describe('the plans of all queries (postgres)', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  let plans: Plans;
  let database: Database;
  let url: string;
  const folder = temporaryFolder('queries');

  before('send every request', async () => {
    await sharedPostgres();
    url = await postgresWithTables();
    database = await openDatabase({ kind: 'postgres', url, poolSize: 10 });
    const rows = await fillGrown(database, SIZES);
    plans = new Plans();
    const treasury = await cluster().fundedWallet(1_000n * SOL);
    // So that aggregators may read a part of the trades: their slots are their ids.
    await passSlots(cluster(), 30_000);
    const token = await launch(cluster());
    await buyTokens(cluster(), token, treasury, SOL);
    const partner = { partner: 'Explained', payoutWallet: treasury.publicKey.toBase58() };
    const { key: apiKey } = await issueKey({ database, now: Date.now }, partner);
    const mint = token.mint.toBase58();
    await finalize(cluster());
    const isThere = async (query: SQL) => (await rowsOf(database.queries, query)).length > 0;
    for (const mode of MODES) {
      plans.during('start', mode);
      const environment = {
        ...clusterEnvironment(cluster()),
        ...{ RATE_LIMIT_REQUESTS: '1000000', MARKET_RATE_LIMIT_REQUESTS: '1000000' },
        ...{ UPLOADS_FOLDER: folder, TREASURY_KEYPAIR: keyVariable(treasury) },
        DATABASE_URL: explainingUrl(url, mode),
      };
      const service = await startTestService(cluster(), environment);
      try {
        await eventually(
          () => isThere(sql`select 1 from market_tokens where mint = ${mint} and trades > 0`),
          'the token in the market',
          60_000,
        );
        await eventually(
          () =>
            isThere(sql`select 1 from tokens t, indexer_state s where t.mint = ${mint}
            and not exists (select 1 from unfinalized u where u.id = t.record_id) and s.scanned_slot > 25000`),
          'the token finalized, and the slots of the trades',
          60_000,
        );
        await eventually(
          () => isThere(sql`select 1 where ${paymentsHeldText({})} is null`),
          'open payments',
          60_000,
        );
        const wallet = Keypair.generate();
        const credits = [{ wallet: wallet.publicKey.toBase58(), amount: SOL }];
        await database.transaction((tx) =>
          credit(tx, 'settlement', { key: `reward ${mode}`, mint, asset: 'SOL', credits }),
        );
        const { document } = service;
        await requestAll({ url: service.url, document, rows, mint, wallet, apiKey }, (id) =>
          plans.during(id, mode),
        );
        // Jobs whose pauses are long.
        plans.during('jobs', mode);
        await trimEvents(service.context.database.on('jobs'));
      } finally {
        await service.stop();
      }
    }
  });
  after(async () => {
    plans?.stop();
    await database?.close();
  });

  it('use indexes', () => {
    const found = plans.findings.map(
      ({ during, problem, statement }) => `${problem} (${during}): ${statement}`,
    );
    if (found.length > 0) expect.fail(found.join('\n\n'));
  });

  it('are those of requests and of jobs', () => {
    expect(plans.statements).to.be.at.least(200);
  });
});
