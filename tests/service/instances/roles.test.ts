// ROLE divides the work among processes: one serves, another one runs the jobs.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { ApiClient } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { initiate, reward, rewardsEnvironment, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { whileFinalizing } from '#tests/service/service-context.js';
import { eventually, testConfig } from '#tests/service/service.js';

const MINT = 'So11111111111111111111111111111111111111112';
const ROLES = ['api', 'worker'] as const;

if (DATABASE_KIND === 'postgres') {
  describe('processes with roles', function () {
    this.timeout(120_000);
    const cluster = useCluster();
    let processes: Record<(typeof ROLES)[number], Service>;

    before(async () => {
      const environment = {
        ...rewardsEnvironment(await cluster().fundedWallet()),
        DATABASE_URL: await (await sharedPostgres()).createDatabase(),
      };
      const started: [string, Service][] = [];
      for (const role of ROLES) {
        const service = await startService(testConfig(cluster(), { ...environment, ROLE: role }), {
          reconcilerIntervalMs: 50,
          overrides: { metrics: createMetrics({ ofProcess: false }) },
        });
        started.push([role, service]);
      }
      processes = Object.fromEntries(started) as typeof processes;
    });
    after(() => Promise.all(ROLES.map((role) => processes?.[role].stop())));

    it('serve the APIs in one of them, and their checks and metrics in each', async () => {
      for (const role of ROLES) {
        const { url, page } = processes[role];
        const statusOf = async (path: string) => (await fetch(url + path)).status;
        expect(await statusOf('/health'), role).to.equal(200);
        expect(await statusOf('/metrics'), role).to.equal(200);
        for (const path of ['/v1/launchpad', '/v1/market/tokens', '/openapi.json'])
          expect(await statusOf(path), role + path).to.equal(role === 'api' ? 200 : 404);
        if (role !== 'api') expect(page).to.equal(undefined);
      }
    });

    it('index what is traded, and follow what is claimed', async () => {
      const { api } = processes;
      await whileFinalizing(cluster(), async () => {
        const token = await launch(cluster());
        await buyTokens(cluster(), token, cluster().payer, 1_000_000_000n);
        const trades = `${api.url}/v1/market/tokens/${token.mint.toBase58()}/trades`;
        await eventually(async () => {
          const { items = [] } = (await (await fetch(trades)).json()) as { items?: unknown[] };
          return items.length === 1;
        }, 'the trade');
        await eventually(async () => (await fetch(`${api.url}/ready`)).ok, 'open payments');

        const wallet = Keypair.generate();
        await reward(api.context.database, wallet.publicKey, MINT, 'SOL', SOL);
        const client = { api: new ApiClient(api.url, api.document), mint: MINT };
        const transaction = transactionOf(await initiate(client, wallet, { claimType: 'SOL' }));
        transaction.sign([wallet]);
        await cluster().sendSigned(transaction);
        await untilClaim(client.api, bs58.encode(transaction.signatures[0]!), 'COMPLETED');
      });
    });
  });
}
