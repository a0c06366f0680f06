// Rewards and claims of a service whose standby lags: both come from the primary. threat: lagging-standby
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { openDatabase, type Database } from '#app/db/database.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { asOwner, startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import { initiate, reward, signed, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';

const AMOUNT = 1_000_000_000n;

if (DATABASE_KIND === 'postgres') {
  describe('rewards of a service with a standby that lags', function () {
    this.timeout(120_000);
    const cluster = useCluster();
    let [primary, standby]: PostgresServer[] = [];
    let database: Database | undefined;
    let scene: RewardsScene | undefined;

    before(async () => {
      primary = await startPostgres();
      const url = await primary.createDatabase();
      const owner = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
      await owner.migrate();
      await owner.close();
      standby = await primary.standby();
      const replica = new URL(url);
      replica.port = new URL(standby.url).port;
      database = await openDatabase({ kind: 'postgres', url, poolSize: 8, replicas: [replica.href] });
      scene = await startRewardsScene(cluster(), { overrides: { database } });
    });
    after(async () => {
      await scene?.stop();
      await database?.close();
      for (const server of [standby, primary]) await server?.stop();
    });

    it('are shown when they are credited, and gone when they are claimed', async () => {
      const { api, mint } = scene!;
      const wallet = Keypair.generate();
      const path = `/rewards/${wallet.publicKey.toBase58()}/tokens/${mint}`;
      const shown = async () => {
        const { status, body } = await api.get(path, { headers: signed(wallet) });
        expect(status).to.equal(200);
        return (body['data'] as { unclaimedRewards: { sol: number } }).unclaimedRewards.sol;
      };
      const serves = () => Promise.resolve(database!.replicas()[0]!.problem === undefined);
      await eventually(serves, 'that the standby serves');
      await asOwner(standby!.url, 'select pg_wal_replay_pause()');
      try {
        await reward(scene!.database, wallet.publicKey, mint, 'SOL', AMOUNT);
        expect(await shown()).to.equal(Number(AMOUNT));
        const first = await initiate(scene!, wallet, { claimType: 'SOL' });
        expect(first.status, first.text).to.equal(200);
        expect(await shown()).to.equal(0);
        const second = await initiate(scene!, wallet, { claimType: 'SOL' });
        expect([second.status, second.body['code']]).to.deep.equal([409, 'CLAIM_IN_PROGRESS']);
      } finally {
        await asOwner(standby!.url, 'select pg_wal_replay_resume()');
      }
    });
  });
}
