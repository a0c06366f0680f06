// Runs the service on a database as after years, sends every request, lets the jobs work, and looks at the plans.
import { Keypair } from '@solana/web3.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { LocalCluster } from '@curvekit/testing';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { paymentsHeldText } from '#app/ledger/gate/functions.js';
import { credit } from '#app/ledger/credit.js';
import { trimEvents } from '#app/market/stream/trim-job.js';
import { createMetrics } from '#app/base/metrics.js';
import { issueKey } from '#app/partners/keys.js';
import { startService, type Service } from '#app/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { clusterEnvironment, keyVariable } from '#tests/service/service-context.js';
import { eventually, testConfig } from '#tests/service/service.js';
import { fillGrown, type GrownRows, type Sizes } from '#tests/database/grown-tables.js';
import { explainingUrl, Plans, type Finding, type PlanMode } from './plans.js';
import { requestAll } from './requests.js';

const SOL = 1_000_000_000n;
/** PostgreSQL plans a prepared statement for its parameters, and later once for all parameters. */
const MODES: readonly PlanMode[] = ['auto', 'force_generic_plan'];
const READY_MS = 60_000;

export interface Explained {
  readonly statements: number;
  readonly findings: readonly Finding[];
}

interface Given {
  readonly cluster: LocalCluster;
  /** URL of a new database with empty tables. */
  readonly url: string;
  readonly sizes: Sizes;
}

export async function explainAll({ cluster, url, sizes }: Given): Promise<Explained> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 10 });
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-queries-'));
  const plans = new Plans();
  try {
    const rows = await fillGrown(database, sizes);
    const treasury = await cluster.fundedWallet(1_000n * SOL);
    const token = await launch(cluster);
    await buyTokens(cluster, token, treasury, SOL);
    const partner = { partner: 'Explained', payoutWallet: treasury.publicKey.toBase58() };
    const { key: apiKey } = await issueKey({ database, now: Date.now }, partner);
    for (const mode of MODES) {
      plans.during('start', mode);
      const service = await startService(
        testConfig(cluster, {
          ...clusterEnvironment(cluster),
          ...{ PORT: '0', RATE_LIMIT_REQUESTS: '1000000', MARKET_RATE_LIMIT_REQUESTS: '1000000' },
          ...{ UPLOADS_FOLDER: folder, TREASURY_KEYPAIR: keyVariable(treasury) },
          DATABASE_URL: explainingUrl(url, mode),
        }),
        { overrides: { deployment: cluster.deployment, metrics: createMetrics({ ofProcess: false }) } },
      );
      try {
        await useAll(service, { database, rows, token, apiKey, plans, mode });
      } finally {
        await service.stop();
      }
    }
    return { statements: plans.statements, findings: plans.findings };
  } finally {
    plans.stop();
    await database.close();
    await rm(folder, { recursive: true });
  }
}

interface Scene {
  readonly database: Database;
  readonly rows: GrownRows;
  readonly token: Token;
  readonly apiKey: string;
  readonly plans: Plans;
  readonly mode: PlanMode;
}

async function useAll(
  { url, document, context }: Service,
  { database, rows, token, apiKey, plans, mode }: Scene,
): Promise<void> {
  const { queries } = database;
  const mint = token.mint.toBase58();
  await eventually(
    async () =>
      (await rowsOf(queries, sql`select 1 from market_tokens where mint = ${mint} and trades > 0`)).length >
      0,
    'the token in the market',
    READY_MS,
  );
  await eventually(
    async () => {
      const [row] = await rowsOf<{ held: string | null }>(
        queries,
        sql`select ${paymentsHeldText({})} as held`,
      );
      return row!.held === null;
    },
    'open payments',
    READY_MS,
  );
  const wallet = Keypair.generate();
  await database.transaction((tx) =>
    credit(tx, 'settlement', {
      ...{ key: `reward ${mode}`, mint, asset: 'SOL' },
      credits: [{ wallet: wallet.publicKey.toBase58(), amount: SOL }],
    }),
  );
  await requestAll({ url, document, rows, mint, wallet, apiKey }, (id) => plans.during(id, mode));
  // Jobs whose pauses are long.
  plans.during('jobs', mode);
  await trimEvents(context.database.on('jobs'));
}
