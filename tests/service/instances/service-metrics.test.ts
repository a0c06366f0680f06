// What `/metrics` of a running service says of the service itself.
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { Follower } from '#tests/service/stream-follower.js';
import packageFile from '../../../app/package.json' with { type: 'json' };

describe(`the metrics of a running service (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  before(async () => {
    scene = await startRewardsScene(cluster());
  });
  after(() => scene?.stop());

  const scrape = async () => (await fetch(`${scene.service.url}/metrics`)).text();
  const valueOf = async (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(await scrape())?.[1]);

  it('name the build', async () => {
    const newest = readdirSync('app/database')
      .filter((name) => /^\d{4}_.*\.sql$/.test(name))
      .sort()
      .at(-1)!;
    const labels = `version="${packageFile.version}",node="${process.versions.node}",migration="${newest.slice(0, -4)}"`;
    expect(await scrape()).to.contain(`curvekit_build_info{${labels}} 1\n`);
  });

  it('say when payments were last reconciled', async () => {
    const at = () => valueOf('curvekit_payments_reconciled_timestamp_seconds');
    await eventually(async () => (await at()) > 0, 'a reconciliation');
    const first = await at();
    expect(first).to.be.within(Date.now() / 1_000 - 60, Date.now() / 1_000 + 1);
    await eventually(async () => (await at()) > first, 'a later one');
  });

  it('count the open streams', async () => {
    const open = () => valueOf('curvekit_market_streams_open');
    expect(await open()).to.equal(0);
    const followers = ['board', 'board'].map(() => new Follower(scene.service.url, ['board']));
    await Promise.all(followers.map((follower) => follower.untilOpen()));
    await eventually(async () => (await open()) === 2, 'two streams');
    for (const follower of followers) follower.close();
    await eventually(async () => (await open()) === 0, 'none');
  });

  it("show the treasury's balance and no part of its key", async () => {
    const text = await scrape();
    const address = scene.treasury.publicKey.toBase58();
    const balance = await cluster().connection.getBalance(scene.treasury.publicKey);
    expect(text).to.contain(
      `curvekit_key_balance_lamports{key="TREASURY_KEYPAIR",address="${address}"} ${balance}\n`,
    );
  });
});
