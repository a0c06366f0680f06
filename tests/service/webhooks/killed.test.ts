// Webhooks of a service that is killed again and again while it delivers: no event is lost, and those of a user come in order.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import { PartnerClient } from '@curvekit/sdk/partner';
import { issueKey } from '#app/partners/keys.js';
import { createStore, type Store } from '#tests/chaos/store.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { rewardsEnvironment } from '#tests/service/rewards.js';
import { clusterEnvironment, whileFinalizing } from '#tests/service/service-context.js';
import { startServiceProcess, type ServiceProcess } from '#tests/service/service-process.js';
import { eventually } from '#tests/service/service.js';
import { startReceiver, type Receiver } from '#tests/service/webhook-receiver.js';

const USERS = 2;
const KILLS = 4;
/** Of each user before each kill. */
const TRADES = 4;
/** An endpoint that takes its time is in the middle of something whenever the service is killed. */
const ANSWERS_AFTER_MS = 100;

describe(`webhooks of a service that is killed (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const cluster = useCluster();
  let store: Store;
  let receiver: Receiver;
  let service: ServiceProcess | undefined;
  before(async () => {
    [store, receiver] = await Promise.all([createStore(DATABASE_KIND), startReceiver()]);
  });
  after(async () => {
    await service?.kill();
    await Promise.all([store?.remove(), receiver?.stop()]);
  });

  it('are delivered at least once, and in order per user', async () => {
    const environment = {
      ...clusterEnvironment(cluster()),
      ...rewardsEnvironment(await cluster().fundedWallet()),
      ...store.environment,
      REFERRAL_SHARE_BPS: '1000',
      INDEXER_POLL_MS: '100',
    };
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    const { key: apiKey } = await store.read((database) =>
      issueKey({ database, now: Date.now }, { partner: 'Acme', payoutWallet }),
    );
    const start = async () => (service = await startServiceProcess(cluster(), environment));
    const users = await cluster().fundedWallets(USERS, 10n * SOL);
    const token = await launch(cluster());
    receiver.respond = (event, response) => {
      setTimeout(() => {
        receiver.taken.push(event);
        response.end();
      }, ANSWERS_AFTER_MS);
      return true;
    };
    /** What each user is to be told of, in order: the registration, and the transactions of its trades. */
    const expected = new Map(users.map(({ publicKey }) => [publicKey.toBase58(), ['registered']]));
    /** By the first delivery of each event. */
    const told = () => {
      const byUser = new Map(users.map(({ publicKey }) => [publicKey.toBase58(), [] as string[]]));
      const seen = new Set<string>();
      for (const { id, data } of receiver.taken) {
        if (seen.has(id)) continue;
        seen.add(id);
        byUser.get(data['user'] as string)!.push((data['signature'] as string | undefined) ?? 'registered');
      }
      return byUser;
    };
    const isTold = () => [...expected].every(([user, events]) => told().get(user)!.length === events.length);

    await whileFinalizing(cluster(), async () => {
      const partner = new PartnerClient({ baseUrl: (await start()).url, apiKey });
      const { secret } = await partner.addWebhook({ url: `${receiver.url}/acme` });
      receiver.secrets.set('/acme', secret);
      for (const user of users) await partner.registerUser(keypairWallet(user));
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (let trade = 0; trade < TRADES; trade += 1)
          for (const user of users) {
            const { signature } = await buyTokens(cluster(), token, user, SOL / 100n);
            expected.get(user.publicKey.toBase58())!.push(signature);
          }
        const before = receiver.taken.length;
        await eventually(() => Promise.resolve(receiver.taken.length > before), 'a delivery', 60_000);
        await sleep((ANSWERS_AFTER_MS * kill) / 2);
        expect(await service!.kill(), 'it ended by itself').to.equal(true);
        await start();
      }
      await eventually(
        () => Promise.resolve(isTold()),
        () => `all events; there were ${JSON.stringify([...told()])}`,
        60_000,
      );
    });
    expect(told()).to.deep.equal(expected);
    expect(await service!.terminate()).to.equal(0);
  });
});
