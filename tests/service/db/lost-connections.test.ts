// PostgreSQL breaks every connection during requests, as a restart or a failover does.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { issueKey } from '#app/partners/keys.js';
import { type Service } from '#app/service.js';
import { ApiClient, type ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { signText } from '#tests/service/partner-service.js';
import { initiate, ledgerProblems, reward, rewardsEnvironment } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { SOL } from '#tests/constants.js';

const MINT = 'So11111111111111111111111111111111111111112';
const INTERNAL = '/v1/internal';
const WORKERS = 6;
const LEAST_BREAKS = 8;
const LEAST_REFUSALS = 5;

if (DATABASE_KIND === 'postgres')
  describe('a service whose PostgreSQL breaks its connections', function () {
    this.timeout(180_000);
    const cluster = useCluster();
    let service: Service;
    let api: ApiClient;

    before(async () => {
      const environment = {
        ...rewardsEnvironment(await cluster().fundedWallet()),
        DATABASE_URL: await (await sharedPostgres()).createDatabase(),
        INDEXER: 'off',
      };
      service = await startTestService(cluster(), environment, { reconcilerIntervalMs: 50 });
      api = new ApiClient(service.url, service.document);
    });
    after(() => service?.stop());

    it('answers 200 or 503 meanwhile, 200 afterwards, and the ledger stays exact', async () => {
      const server = await sharedPostgres();
      const { database } = service.context;
      const payoutWallet = Keypair.generate().publicKey.toBase58();
      const { key } = await issueKey(service.context, { partner: 'Broken', payoutWallet });
      const headers = { 'x-api-key': key };
      const rewarded = Array.from({ length: 40 }, () => Keypair.generate());
      await Promise.all(rewarded.map(({ publicKey }) => reward(database, publicKey, MINT, 'SOL', SOL)));

      const statuses = new Map<number, number>();
      const count = (answer: ApiAnswer): ApiAnswer => {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 503) expect(answer.headers.get('retry-after')).to.equal('5');
        return answer;
      };
      /** Sends a read, a write, and a transaction of several queries. */
      const round = async (): Promise<ApiAnswer[]> => {
        const user = Keypair.generate();
        const got = count(await api.get(`${INTERNAL}/auth/get-message`, { headers }));
        const answers = [got, count(await api.get(`${INTERNAL}/stats`, { headers }))];
        if (got.status === 200) {
          const { message, nonce } = got.body as { message: string; nonce: string };
          const registration = {
            publicKey: user.publicKey.toBase58(),
            signature: signText(user, message),
            nonce,
          };
          answers.push(count(await api.post(`${INTERNAL}/auth/register`, registration, headers)));
        }
        const claimer = rewarded.pop();
        if (claimer !== undefined)
          answers.push(count(await initiate({ api, mint: MINT }, claimer, { claimType: 'SOL' })));
        return answers;
      };

      let breaking = true;
      const work = Array.from({ length: WORKERS }, async () => {
        while (breaking) await round();
      });
      let breaks = 0;
      try {
        await eventually(
          async () => {
            await server.breakConnections();
            breaks += 1;
            return breaks >= LEAST_BREAKS && (statuses.get(503) ?? 0) >= LEAST_REFUSALS;
          },
          `${LEAST_REFUSALS} answers of 503`,
          90_000,
        );
      } finally {
        breaking = false;
        await Promise.all(work);
      }
      expect([...statuses.keys()].sort()).to.deep.equal([200, 503]);
      await eventually(
        async () => (await round()).every(({ status }) => status === 200),
        'everything to be answered again',
      );
      expect(await ledgerProblems(database)).to.deep.equal([]);
    });
  });
