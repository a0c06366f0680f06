// Kills the service at random points of claims, repeatedly. Needs a database that survives the kills and that the test
// can
// read meanwhile: PostgreSQL.
import { expect } from 'chai';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { walletBalances } from '#app/ledger/balances.js';
import { claims } from '#app/db/schema/index.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService } from '#app/service.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { DocumentedAnswers } from '#tests/service/documented-answers.js';
import {
  expireBlockhashes,
  ledgerProblems,
  reward,
  rewardsEnvironment,
  signed,
  untilClaimsEnd,
} from '#tests/service/rewards.js';
import { finalize, testConfig } from '#tests/service/service.js';
import { startServiceProcess } from '#tests/service/service-process.js';

/** All are killed in each round, each at its own moment. */
const INSTANCES = 3;
const ROUNDS = Math.ceil(Number(process.env['CLAIM_KILLS'] ?? 75) / INSTANCES);
const WALLETS = 8;
const REWARD = 10_000_000n;
/** Maximum life of a process, as a multiple of the time that all answers took in the first round. */
const LIFE = 1.2;
/** Upper limit of that life. Without it, a busy machine would make the test slow. */
const LONGEST_LIFE_MS = 1_000;
const SUBMITTED = 0.7;
const MINT = 'So11111111111111111111111111111111111111112';

if (DATABASE_KIND === 'postgres') {
  describe(`claims of a service that is killed ${ROUNDS * INSTANCES} times`, function () {
    this.timeout(900_000);
    const cluster = useCluster();
    const wallets = Array.from({ length: WALLETS }, () => Keypair.generate());
    let treasury: Keypair;
    let databaseUrl: string;
    let database: Database;
    let environment: Record<string, string>;

    before(async () => {
      treasury = await cluster().fundedWallet();
      databaseUrl = await (await sharedPostgres()).createDatabase();
      database = await openDatabase({ kind: 'postgres', url: databaseUrl, poolSize: 5 });
      await database.migrate();
      environment = { ...rewardsEnvironment(treasury), DATABASE_URL: databaseUrl, INDEXER: 'off' };
    });
    after(() => database?.close());

    it('pays no claim twice, loses none, and keeps the ledger exact', async () => {
      const handedOut = new Set<string>();
      let documented: DocumentedAnswers | undefined;

      /**
       * Lets instances live for at most `longestMs`, or until they have answered. @returns how long the answers took
       */
      async function live(longestMs?: number): Promise<number> {
        for (const wallet of wallets) await reward(database, wallet.publicKey, MINT, 'SOL', REWARD);
        const instances = await Promise.all(
          Array.from({ length: INSTANCES }, () => startServiceProcess(cluster(), environment)),
        );
        documented ??= await DocumentedAnswers.of(instances[0]!.url);
        const { fetch } = documented;
        const began = performance.now();
        const claimed = Promise.all(
          wallets.flatMap((wallet) => instances.map(({ url }) => claim(url, wallet, fetch))),
        );
        if (longestMs === undefined) await claimed;
        const answeredMs = performance.now() - began;
        await Promise.all(instances.map((instance) => instance.killAfter(Math.random() * (longestMs ?? 0))));
        for (const transaction of (await claimed).filter((tx) => tx !== undefined)) {
          handedOut.add(Buffer.from(transaction.signatures[0]!).toString('hex'));
          if (Math.random() < SUBMITTED) {
            await cluster().connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
          }
        }
        await finalize(cluster());
        expect(await ledgerProblems(database)).to.deep.equal([]);
        return answeredMs;
      }

      const wholeMs = await live();
      const longestMs = Math.min(LIFE * wholeMs, LONGEST_LIFE_MS);
      for (let round = 0; round < ROUNDS; round += 1) await live(longestMs);

      const service = await startService(testConfig(cluster(), environment), {
        reconcilerIntervalMs: 50,
        overrides: { metrics: createMetrics({ ofProcess: false }) },
      });
      try {
        await expireBlockhashes(cluster());
        await untilClaimsEnd(database, 60_000);
      } finally {
        await service.stop();
      }

      expect(await ledgerProblems(database)).to.deep.equal([]);
      const all = await database.queries.select().from(claims);
      expect(all.length).to.be.at.least(handedOut.size);
      expect(handedOut.size, 'claims handed out').to.be.greaterThan(0);
      expect(all.filter(({ state }) => state === 'COMPLETED')).to.not.have.length(0);
      for (const { publicKey } of wallets) {
        const address = publicKey.toBase58();
        const paid = all
          .filter(({ wallet, state }) => wallet === address && state === 'COMPLETED')
          .reduce((sum, { amount, networkFee }) => sum + amount - networkFee, 0n);
        expect(await lamportsOf(cluster().connection, publicKey), 'on chain').to.equal(paid);
        const [balance] = await walletBalances(database.queries, address);
        expect(balance?.allTimeSol).to.equal(REWARD * BigInt(ROUNDS + 1));
      }
    });
  });
}

/** Requests a claim. The service may die meanwhile. @returns the transaction, also signed by the wallet */
async function claim(
  url: string,
  wallet: Keypair,
  fetch: typeof globalThis.fetch,
): Promise<VersionedTransaction | undefined> {
  const answer = await fetch(`${url}/rewards/${wallet.publicKey.toBase58()}/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(wallet) },
    body: JSON.stringify({ tokenAddress: MINT, claimType: 'SOL' }),
  })
    .then(async (response) =>
      response.ok ? ((await response.json()) as { data: { tx: string } }) : undefined,
    )
    .catch(() => undefined);
  if (answer === undefined) return undefined;
  const { tx } = answer.data;
  const transaction = VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
  transaction.sign([wallet]);
  return transaction;
}
