// Reads from real standbys: one that streams, one that falls behind, one that is gone, one of another cluster.
// threat: lagging-standby, foreign-standby
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { openDatabase, statement, type Database } from '#app/db/database.js';
import { MOST_LAG_MS } from '#app/db/replicas.js';
import { checkReplicas } from '#app/operator/doctor/database-checks.js';
import { newestToken, tokenDetail } from '#app/market/reads/token.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { asOwner, startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import { createRole, urlOf } from '#tests/database/roles.js';
import { Keypair } from '@solana/web3.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { initiate, reward, signed, startRewardsScene } from '#tests/service/rewards.js';
import { grantRole } from '#app/db/roles.js';
import { eventually } from '#tests/service/service.js';

const AMOUNT = 1_000_000_000n;

if (DATABASE_KIND === 'postgres')
  describe('reads from standbys', () => {
    const ROLE = 'curvekit_reads';
    const cluster = useCluster();
    let [primary, near, far]: PostgresServer[] = [];
    let [database, owner]: Database[] = [];

    const on = (server: PostgresServer): string => {
      const url = new URL(server.url);
      url.pathname = new URL(primary!.databases()[0]!).pathname;
      return urlOf(url.href, ROLE);
    };
    const placeOf = (server: PostgresServer): string =>
      new URL(on(server)).host + new URL(on(server)).pathname;
    const problemOf = (server: PostgresServer) =>
      database!.replicas().find(({ place }) => place === placeOf(server))!.problem;
    const serves = (server: PostgresServer) =>
      eventually(() => problemOf(server) === undefined, `that ${server.url} serves`);
    const says = (server: PostgresServer, problem: RegExp) =>
      eventually(() => problem.test(problemOf(server) ?? ''), String(problem));
    /** Ports of the servers that answer some reads. */
    const askedPorts = async (): Promise<Set<number>> => {
      const ports = new Set<number>();
      for (let read = 0; read < 8; read += 1) {
        const [row] = await database!.read(
          (db) => statement<{ port: number }>(db)`select current_setting('port')::integer as port`,
        );
        ports.add(row!.port);
      }
      return ports;
    };
    const portsOf = (...servers: PostgresServer[]) =>
      new Set(servers.map(({ url }) => Number(new URL(url).port)));

    before(async () => {
      primary = await startPostgres();
      const url = await primary.createDatabase();
      await createRole(primary, ROLE);
      owner = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
      await owner.migrate();
      await grantRole(owner.queries, ROLE, 'api', { storesClaims: true });
      [near, far] = [await primary.standby(), await primary.standby()];
      database = await openDatabase({
        ...{ kind: 'postgres', url: on(primary), poolSize: 4 },
        replicas: [on(near), on(far)],
      });
    });
    after(async () => {
      await database?.close();
      await owner?.close();
      for (const server of [near, far, primary]) await server?.stop();
    });

    it('are shared by those that have what the primary has', async () => {
      await serves(near!);
      await serves(far!);
      expect(await askedPorts()).to.deep.equal(portsOf(near!, far!));
      expect(await checkReplicas(database!)).to.deep.equal([
        { subject: 'database replicas', state: 'ok', detail: '2 serve reads' },
      ]);
      for (const { lagMs } of database!.replicas()) expect(lagMs).to.be.below(MOST_LAG_MS);
    });

    it('never go to a standby in what decides about money', async () => {
      const [row] = await statement<{ port: number }>(database!.queries)`
        select current_setting('port')::integer as port`;
      expect(new Set([row!.port])).to.deep.equal(portsOf(primary!));
    });

    it('find a token that no standby has yet', async () => {
      for (const { url } of [near!, far!]) await asOwner(url, 'select pg_wal_replay_pause()');
      atEnd(async () => {
        for (const { url } of [near!, far!]) await asOwner(url, 'select pg_wal_replay_resume()');
      });
      await storeToken(owner!.queries, { mint: 'new' });
      await statement(owner!.queries)`insert into market_tokens
        select mint, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1, record_id, record_id from tokens where mint = 'new'`;
      expect(await database!.read((db) => tokenDetail(db, 'new'))).to.equal(undefined);
      expect(await newestToken(database!, 'new')).to.include({ mint: 'new' });
      expect(await newestToken(database!, 'none')).to.equal(undefined);
    });

    it('never show a reward that is claimed, although no standby knows of the claim', async () => {
      const url = primary!.databases()[0]!;
      const replica = new URL(url);
      replica.port = new URL(far!.url).port;
      const own = await openDatabase({ kind: 'postgres', url, poolSize: 8, replicas: [replica.href] });
      const scene = await startRewardsScene(cluster(), { overrides: { database: own } });
      const { api, mint } = scene;
      const wallet = Keypair.generate();
      const path = `/rewards/${wallet.publicKey.toBase58()}/tokens/${mint}`;
      const shown = async () => {
        const { status, body } = await api.get(path, { headers: signed(wallet) });
        expect(status).to.equal(200);
        return (body['data'] as { unclaimedRewards: { sol: number } }).unclaimedRewards.sol;
      };
      await eventually(() => own.replicas()[0]!.problem === undefined, 'that the standby serves');
      await asOwner(far!.url, 'select pg_wal_replay_pause()');
      atEnd(() => own.close());
      atEnd(() => scene.stop());
      atEnd(() => asOwner(far!.url, 'select pg_wal_replay_resume()'));
      await reward(scene.database, wallet.publicKey, mint, 'SOL', AMOUNT);
      expect(await shown()).to.equal(Number(AMOUNT));
      const first = await initiate(scene, wallet, { claimType: 'SOL' });
      expect(first.status, first.text).to.equal(200);
      expect(await shown()).to.equal(0);
      const second = await initiate(scene, wallet, { claimType: 'SOL' });
      expect([second.status, second.body['code']]).to.deep.equal([409, 'CLAIM_IN_PROGRESS']);
    });

    it('leave out one that falls behind, and take it back when it has caught up', async () => {
      await asOwner(far!.url, 'select pg_wal_replay_pause()');
      let writing = true;
      const writer = (async () => {
        while (writing) {
          await owner!.queries.execute(sql`select pg_logical_emit_message(false, 'test', 'more')`);
          await sleep(100);
        }
      })();
      try {
        await says(far!, /^it is [4-9] s behind$/);
        expect(await askedPorts()).to.deep.equal(portsOf(near!));
        const [finding] = await checkReplicas(database!);
        expect(finding).to.include({ state: 'warning', subject: 'database replicas' });
        expect(finding!.detail).to.contain(`${placeOf(far!)} serves nothing: it is `);
      } finally {
        writing = false;
        await writer;
        await asOwner(far!.url, 'select pg_wal_replay_resume()');
      }
      await serves(far!);
      expect(await askedPorts()).to.deep.equal(portsOf(near!, far!));
    });

    it('are answered by the primary when a standby ends them or goes away', async () => {
      let runs = 0;
      const answer = await database!.read(async (db) => {
        runs += 1;
        if (runs === 1) await asOwner(near!.url, KILL_OTHERS).then(() => asOwner(far!.url, KILL_OTHERS));
        return statement<{ port: number }>(db)`
          select current_setting('port')::integer as port, pg_sleep(0.01)`;
      });
      expect(answer).to.have.length(1);
      await near!.stop();
      for (let read = 0; read < 20; read += 1) expect((await askedPorts()).size).to.be.at.least(1);
      await says(near!, /^it does not answer$/);
      await serves(far!);
      expect(await askedPorts()).to.deep.equal(portsOf(far!));
    });

    it('go on from the standby while the primary is away', async () => {
      await serves(far!);
      const asked = askedPorts();
      await primary!.restart('immediate');
      expect(await asked).to.deep.equal(portsOf(far!));
      await serves(far!);
    });

    it('leave out what is promoted, or a copy of another database', async () => {
      const other = await startPostgres();
      await asOwner(other.url, `create database ${new URL(on(primary!)).pathname.slice(1)}`);
      await createRole(other, ROLE);
      const mixed = await openDatabase({
        ...{ kind: 'postgres', url: on(primary!), poolSize: 2 },
        replicas: [on(other), on(far!)],
      });
      atEnd(() => other.stop());
      atEnd(() => mixed.close());
      await far!.promote();
      const wrong = ['it is a copy of another database', 'it is no standby'];
      await eventually(async () => {
        await mixed.lookAtReplicas();
        return mixed.replicas().every(({ problem }, index) => problem === wrong[index]);
      }, wrong.join(', '));
      const [row] = await mixed.read(
        (db) => statement<{ port: number }>(db)`select current_setting('port')::integer as port`,
      );
      expect(new Set([row!.port])).to.deep.equal(portsOf(primary!));
    });
  });

const KILL_OTHERS =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'";
