// The treasury's key is changed while claims are open ("Change a key" in docs/keys.md): nothing is lost or paid twice.
import { Keypair, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import type { Database } from '#app/db/database.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { ApiClient } from '#tests/service/api-client.js';
import {
  expireBlockhashes,
  initiate,
  ledgerProblems,
  reward,
  rewardsEnvironment,
  transactionOf,
  untilClaim,
} from '#tests/service/rewards.js';
import { eventually, testConfig } from '#tests/service/service.js';
import { whileFinalizing } from '#tests/service/service-context.js';

/** Of two signatures. Each wallet pays it out of its rewards. */
const NETWORK_FEE = 10_000n;
const MINT = 'So11111111111111111111111111111111111111112';

describe(`a treasury's key that is changed while claims are open (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let database: Database;
  let service: Service | undefined;
  before(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => service?.stop());
  after(() => database.close());

  /** The service with this treasury, on the same database, once it pays. */
  async function restart(treasury: Keypair): Promise<{ readonly api: ApiClient; readonly mint: string }> {
    await service?.stop();
    const environment = { ...rewardsEnvironment(treasury), INDEXER: 'off' };
    service = await startService(testConfig(cluster(), environment), {
      reconcilerIntervalMs: 50,
      overrides: {
        database: { ...database, close: () => Promise.resolve() },
        deployment: cluster().deployment,
        metrics: createMetrics({ ofProcess: false }),
      },
    });
    const { url, document } = service;
    await whileFinalizing(cluster(), () =>
      eventually(async () => {
        const answer = await fetch(`${url}/ready`);
        const { checks } = (await answer.json()) as { checks: Record<string, string> };
        return checks['payments'] === 'ok';
      }, 'open payments'),
    );
    return { api: new ApiClient(url, document), mint: MINT };
  }
  const payerOf = (transaction: VersionedTransaction) => transaction.message.staticAccountKeys[0]!.toBase58();
  const signatureOf = (transaction: VersionedTransaction) => bs58.encode(transaction.signatures[0]!);

  it('still pays the claim that the old key signed, and pays the one that expired with the new key', async () => {
    const [old, fresh] = [await cluster().fundedWallet(), await cluster().fundedWallet()];
    const [sends, waits] = [Keypair.generate(), Keypair.generate()];
    for (const { publicKey } of [sends, waits]) await reward(database, publicKey, MINT, 'SOL', SOL);
    let client = await restart(old);
    const first = transactionOf(await initiate(client, sends, { claimType: 'SOL' }));
    const second = transactionOf(await initiate(client, waits, { claimType: 'SOL' }));
    expect([payerOf(first), payerOf(second)]).to.deep.equal(Array(2).fill(old.publicKey.toBase58()));

    client = await restart(fresh);
    // The open claim still has its amount: the new key does not pay it too.
    expect((await initiate(client, sends, { claimType: 'SOL' })).status).to.equal(409);
    first.sign([sends]);
    await cluster().sendSigned(first);
    await whileFinalizing(cluster(), () => untilClaim(client.api, signatureOf(first), 'COMPLETED'));
    await expireBlockhashes(cluster());
    await untilClaim(client.api, signatureOf(second), 'EXPIRED');

    const again = transactionOf(await initiate(client, waits, { claimType: 'SOL' }));
    expect(payerOf(again)).to.equal(fresh.publicKey.toBase58());
    again.sign([waits]);
    await cluster().sendSigned(again);
    await whileFinalizing(cluster(), () => untilClaim(client.api, signatureOf(again), 'COMPLETED'));
    for (const { publicKey } of [sends, waits])
      expect(await lamportsOf(cluster().connection, publicKey)).to.equal(SOL - NETWORK_FEE);
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });
});
