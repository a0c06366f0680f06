// Two instances share PostgreSQL and Redis: a request gets the same answer from either. threat: replayed-request, double-claim, flood
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { type Service } from '#app/service.js';
import { ApiClient } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import { initiate, ledgerProblems, reward, rewardsEnvironment, signed } from '#tests/service/rewards.js';
import { startTestService } from '#tests/service/test-service.js';
import { SOL } from '#tests/constants.js';

const MINT = 'So11111111111111111111111111111111111111112';
const LIMIT = 100;

if (DATABASE_KIND === 'postgres') {
  describe('two instances that share PostgreSQL and Redis', () => {
    const cluster = useCluster();
    let redis: RedisServer;
    let instances: Service[] = [];
    let apis: ApiClient[];

    before(async () => {
      redis = await startRedis();
      const treasury = await cluster().fundedWallet();
      const environment = {
        ...rewardsEnvironment(treasury),
        DATABASE_URL: await (await sharedPostgres()).createDatabase(),
        REDIS_URL: redis.url,
        RATE_LIMIT_REQUESTS: String(LIMIT),
        TRUST_PROXY: '1',
        INDEXER: 'off',
      };
      instances = await Promise.all(
        [1, 2].map(() => startTestService(cluster(), environment, { reconcilerIntervalMs: 50 })),
      );
      apis = instances.map(({ url, document }) => new ApiClient(url, document));
    });
    after(async () => {
      expect(await ledgerProblems(database())).to.deep.equal([]);
      await Promise.all(instances.map((instance) => instance.stop()));
      await redis?.stop();
    });

    const database = () => instances[0]!.context.database;
    /** Each test uses its own client address, for its own rate limit. */
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const on = (index: number) => ({ api: apis[index % 2]!, mint: MINT });

    it('return one transaction for 100 concurrent requests', async () => {
      const wallet = Keypair.generate();
      await reward(database(), wallet.publicKey, MINT, 'SOL', SOL);
      const claim = (index: number, address: string) =>
        initiate(on(index), wallet, { claimType: 'SOL' }, from(address));
      const answers = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          let answer = await claim(index, '192.0.2.1');
          // On a busy machine some requests wait too long for the wallet's lock. The service then tells them to try again.
          for (let retry = 0; answer.status === 503; retry += 1)
            answer = await claim(index, `192.0.3.${retry}`);
          return answer;
        }),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([200, ...Array.from({ length: 99 }, () => 409)]);
    });

    it('accept a signed request once', async () => {
      const wallet = Keypair.generate();
      await reward(database(), wallet.publicKey, MINT, 'SOL', SOL);
      const once = { ...signed(wallet), ...from('192.0.2.3') };
      const answers = await Promise.all(
        [0, 1, 2, 3].map((index) => initiate(on(index), wallet, { claimType: 'SOL' }, once)),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401]);
    });
  });
}
