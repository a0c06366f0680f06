// Two instances share PostgreSQL and Redis: a request gets the same answer from either. threat: replayed-request, double-claim, flood
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { createMetrics } from '#app/base/metrics.js';
import { issueKey } from '#app/partners/keys.js';
import { startService, type Service } from '#app/service.js';
import { ApiClient } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { DocumentedAnswers } from '#tests/service/documented-answers.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import {
  initiate,
  ledgerProblems,
  reward,
  rewardsEnvironment,
  signed,
  transactionOf,
  untilClaim,
} from '#tests/service/rewards.js';
import { finalize, testConfig } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';

const MINT = 'So11111111111111111111111111111111111111112';
const LIMIT = 120;

if (DATABASE_KIND === 'postgres') {
  describe('two instances that share PostgreSQL and Redis', function () {
    this.timeout(120_000);
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
        [1, 2].map(() =>
          startService(testConfig(cluster(), environment), {
            reconcilerIntervalMs: 50,
            overrides: { metrics: createMetrics({ ofProcess: false }) },
          }),
        ),
      );
      apis = instances.map(({ url, document }) => new ApiClient(url, document));
    });
    after(async () => {
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
          // On a busy machine some requests wait too long for the wallet's lock. The service then tells them to try
          // again.
          for (let retry = 0; answer.status === 503; retry += 1)
            answer = await claim(index, `192.0.3.${retry}`);
          return answer;
        }),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([200, ...Array.from({ length: 99 }, () => 409)]);
    });

    it('give the same answer for the same Idempotency-Key', async () => {
      const wallet = Keypair.generate();
      await reward(database(), wallet.publicKey, MINT, 'SOL', SOL);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          initiate(on(index), wallet, { claimType: 'SOL' }, { ...from('192.0.2.2'), 'Idempotency-Key': 'k' }),
        ),
      );
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(answers[0]!.status).to.equal(200);
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

    it("track each other's claims after one instance has stopped", async () => {
      const wallet = Keypair.generate();
      await reward(database(), wallet.publicKey, MINT, 'SOL', SOL);
      const transaction = transactionOf(
        await initiate(on(0), wallet, { claimType: 'SOL' }, from('192.0.2.4')),
      );
      transaction.sign([wallet]);
      await cluster().sendSigned(transaction);
      await instances[0]!.stop();
      await finalize(cluster());
      await untilClaim(apis[1]!, bs58.encode(transaction.signatures[0]!), 'COMPLETED');
      expect(await ledgerProblems(instances[1]!.context.database)).to.deep.equal([]);
    });
  });

  describe('rate limits of two instances that share Redis', function () {
    this.timeout(60_000);
    const cluster = useCluster();

    it('are shared for every address and each API', async () => {
      const redis = await startRedis();
      const environment = {
        ...rewardsEnvironment(Keypair.generate()),
        DATABASE_URL: await (await sharedPostgres()).createDatabase(),
        REDIS_URL: redis.url,
        RATE_LIMIT_REQUESTS: '100',
        TRUST_PROXY: '1',
        INDEXER: 'off',
      };
      const instances = await Promise.all(
        [1, 2].map(() =>
          startService(testConfig(cluster(), environment), {
            overrides: { metrics: createMetrics({ ofProcess: false }) },
          }),
        ),
      );
      try {
        const documented = new DocumentedAnswers(instances[0]!.document);
        const { database } = instances[0]!.context;
        const payoutWallet = Keypair.generate().publicKey.toBase58();
        const { key } = await issueKey({ database, now: Date.now }, { partner: 'Limited', payoutWallet });
        const signature = bs58.encode(new Uint8Array(64).fill(3));
        const message = 'Too many requests from this address; try again later';
        const apiOf: [path: string, headers: Record<string, string>, status: number, refusal: object][] = [
          [
            `/rewards/${signature}/status`,
            {},
            404,
            { status: 'error', code: 'RATE_LIMIT_EXCEEDED', message },
          ],
          [
            '/v1/internal',
            { 'x-api-key': key },
            200,
            { message, error: 'RATE_LIMIT_EXCEEDED', statusCode: '429' },
          ],
        ];
        // One IPv4 address, and then a different address of one /64 for each request.
        for (const client of [() => '192.0.2.7', (index: number) => `2001:db8:1:2::${index.toString(16)}`]) {
          for (const [path, headers, status, refusal] of apiOf) {
            const answers = await Promise.all(
              Array.from({ length: 150 }, (_, index) =>
                documented.fetch(`${instances[index % 2]!.url}${path}`, {
                  headers: { ...headers, 'X-Forwarded-For': client(index) },
                }),
              ),
            );
            const refused = answers.filter((answer) => answer.status === 429);
            expect(answers.filter((answer) => answer.status === status)).to.have.length(100);
            expect(refused).to.have.length(50);
            expect(await refused[0]!.json()).to.deep.equal(refusal);
            expect(Number(refused[0]!.headers.get('retry-after'))).to.be.within(800, 900);
            expect(refused[0]!.headers.get('ratelimit-remaining')).to.equal('0');
          }
        }
      } finally {
        await Promise.all(instances.map((instance) => instance.stop()));
        await redis.stop();
      }
    });
  });
}
