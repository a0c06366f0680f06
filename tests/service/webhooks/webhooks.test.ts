// Delivery of webhooks: at least once and in order per subject, however endpoints and the service fail. threat: hostile-endpoint
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'chai';
import { createMetrics, type Metrics } from '#app/base/metrics.js';
import { createLogger } from '#app/base/logging/logging.js';
import { readConfig } from '#app/config/config.js';
import { statement } from '#app/db/database.js';
import type { Job } from '#app/db/jobs/leader-job.js';
import { addEndpoint, listEndpoints } from '#app/webhooks/endpoints.js';
import { send } from '#app/webhooks/send.js';
import { createWebhookJob, measureWebhooks } from '#app/webhooks/webhook-job.js';
import { endPass } from '#app/ledger/gate/payments-gate.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { newAddress } from '#tests/new-address.js';
import { lent, runCommand } from '#tests/service/cli.js';
import { eventually } from '#tests/service/service.js';
import { startNameServer } from '#tests/service/image-server.js';
import { startReceiver, type Receiver, type Taken } from '#tests/service/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIMEOUT_MS = 3_000;

describe(`the delivery of webhooks (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const database = useDatabase({ each: true });
  let receiver: Receiver;
  let metrics: Metrics;
  let job: Job | undefined;
  let ahead = 0;

  beforeEach(async () => {
    receiver = await startReceiver();
    metrics = createMetrics({ ofProcess: false });
    measureWebhooks({ database, metrics });
    ahead = 0;
  });
  afterEach(async () => {
    await job?.stop();
    await receiver.stop();
  });

  const start = (environment: Record<string, string> = { SIMULATED_CLUSTER: 'on' }) => {
    const logger = createLogger('silent');
    const now = () => Date.now() + ahead;
    const registry = createMetrics({ ofProcess: false });
    job = createWebhookJob(
      { config: readConfig(environment), database, logger, metrics: registry, now },
      { timeoutMs: TIMEOUT_MS },
    );
    job.start();
  };
  const curvekit = async <T>(...args: string[]): Promise<T> => {
    const { exitCode, out, err } = await runCommand(
      ['webhook', ...args, '--json'],
      { SIMULATED_CLUSTER: 'on' },
      lent(database),
    );
    if (exitCode !== 0 && !out) throw new Error(err);
    return JSON.parse(out) as T;
  };
  const refusal = async (command: string, subject: string, ...more: string[]) => {
    const [cluster, args] = more[0] === 'off' ? ['off', []] : ['on', more];
    const { exitCode, err } = await runCommand(
      ['webhook', command, subject, ...args],
      { SIMULATED_CLUSTER: cluster },
      lent(database),
    );
    expect(exitCode).to.equal(1);
    return err;
  };
  const partner = async (): Promise<number> => {
    const [row] = await statement<{ id: number }>(database.queries)`
      insert into partners (name, payout_wallet) values (${newAddress()}, ${newAddress()}) returning id::integer as id`;
    return row!.id;
  };
  const add = async (partnerId: number, path = '/') => {
    const { id, secret } = await addEndpoint(database, { partnerId, url: receiver.url + path });
    receiver.secrets.set(path, secret);
    return id;
  };
  /** Registers a user, which is the first event of this subject. */
  const register = async (partnerId: number, user = newAddress()) => {
    await statement(database.queries)`
      insert into partner_users (wallet, partner_id, signature, registered_slot) values (${user}, ${partnerId}, 's', 1)`;
    await statement(database.queries)`
      insert into addresses (id, address) select coalesce(max(id), 0) + 1, ${user} from addresses`;
    return user;
  };
  let rewards = 0;
  const reward = (partnerId: number, user: string) =>
    database.queries.execute(sql`
      insert into referral_reward_rows (partner_id, user_id, mint_id, share_bps, "outer", "inner", signature, fee, reward)
      select ${partnerId}, a.id, a.id, 1, 0, 0, ${`signature ${(rewards += 1)}`}, 18446744073709551615, ${rewards}
      from addresses a where a.address = ${user}`);
  const taken = (count: number) =>
    eventually(
      () => receiver.taken.length >= count,
      () => `${count} events of ${receiver.taken.length}`,
    );
  const listed = async (id: string) => (await listEndpoints(database.queries)).find((one) => one.id === id)!;
  const gauge = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)!.get()).values[0]!.value;

  it('signs what a library verifies, and does not send what was told before', async () => {
    const acme = await partner();
    await register(acme);
    await add(acme);
    const user = await register(acme);
    await reward(acme, user);
    start();
    await taken(2);
    expect(receiver.taken.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'user.registered', data: { user } },
      {
        type: 'reward.claimable',
        data: {
          user,
          mint: user,
          signature: `signature ${rewards}`,
          fee: '18446744073709551615',
          reward: String(rewards),
        },
      },
    ]);
    expect(receiver.taken[0]!.id).to.match(/^msg_[0-9a-f]{32}$/);
    expect(Date.now() - Date.parse(receiver.taken[0]!.timestamp)).to.be.within(-1_000, 20_000);
  });

  it('is at least once, and in order per subject, however often the job is killed', async () => {
    const acme = await partner();
    await add(acme);
    const users: string[] = [];
    for (let count = 0; count < 10; count += 1) users.push(await register(acme));
    let requests = 0;
    // Every seventh request fails: its subject waits, and the others go on.
    receiver.respond = (_event, response) => {
      requests += 1;
      if (requests % 7 === 0) response.writeHead(503).end();
      return requests % 7 === 0;
    };
    for (let round = 0; round < 12; round += 1) {
      start();
      for (const user of users) await reward(acme, user);
      await sleep(70 * (round % 4));
      await job!.stop();
      ahead += HOUR_MS / 2;
    }
    start();
    const firsts = () => {
      const seen = new Map<string, Taken>();
      for (const event of receiver.taken) if (!seen.has(event.id)) seen.set(event.id, event);
      return [...seen.values()];
    };
    await eventually(
      async () => {
        ahead += 60_000;
        return Promise.resolve(firsts().length === 130);
      },
      () => `130 events; ${firsts().length} of ${receiver.taken.length} deliveries`,
    );
    for (const user of users) {
      const amounts = firsts()
        .filter(({ data }) => data['user'] === user)
        .map(({ data }) => Number(data['reward'] ?? 0));
      expect(amounts).to.have.length(13);
      expect(amounts).to.deep.equal(amounts.toSorted((a, b) => a - b));
    }
    await eventually(
      async () => (await gauge('curvekit_webhook_events_pending')) === 0,
      'nothing that waits',
    );
  });

  it('reaches a thousand endpoints within two seconds, beside one that never answers', async () => {
    await statement(database.queries)`with endpoints as (
        insert into webhook_endpoints (id, partner_id, url, cursor, started_at)
        select lpad(n::text, 16, '0'), 0, ${receiver.url} || '/' || n, 0, now() from generate_series(0, 1000) n returning id)
      insert into webhook_secrets (endpoint_id, secret) select id, 'whsec_' || encode(sha256(id::bytea), 'base64') from endpoints`;
    const secrets = await statement<{ id: string; secret: string }>(database.queries)`
      select endpoint_id as id, secret from webhook_secrets`;
    for (const { id, secret } of secrets) receiver.secrets.set(`/${Number(id)}`, secret);
    receiver.respond = ({ path }) => path === '/0';
    start();
    await sleep(600);
    const held = (reason: string) =>
      database.transaction((tx) =>
        endPass(tx, { slot: 1, incarnation: null, held: reason, progress: null }, []),
      );
    // Other suites may use the cores meanwhile, so the best of three counts.
    let median = Infinity;
    let reason = '';
    for (let times = 1; times <= 3 && median >= 2_000; times += 1) {
      receiver.taken.length = 0;
      const began = performance.now();
      await held((reason = `short of ${times} SOL`));
      await taken(1_000);
      median = receiver.taken.map(({ at }) => at - began).toSorted((a, b) => a - b)[500]!;
    }
    expect(median).to.be.below(2_000);
    expect(receiver.taken[0]).to.deep.include({ type: 'payments.held', data: { reason } });
    // The same reason again is no event.
    await held(reason);
    await eventually(async () => (await listed('0'.repeat(16))).problem !== null, 'the silent endpoint');
    expect((await listed('0'.repeat(16))).problem).to.contain('did not answer in 3000 ms');
    expect(receiver.taken).to.have.length(1_000);
  });

  it('refuses redirects and everything but 2xx, tries for a day, then gives up; a replay sends again, in order', async () => {
    const acme = await partner();
    const id = await add(acme);
    const user = await register(acme);
    await reward(acme, user);
    const asked: string[] = [];
    receiver.respond = ({ path, type }, response) => {
      asked.push(`${path} ${type}`);
      response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
      return true;
    };
    start();
    await eventually(async () => (await listed(id)).problem === 'it answers HTTP 307', 'the refusal');
    // The reward waits behind the registration, and another user's event does not.
    const other = await register(acme);
    await eventually(() => asked.length === 2, 'the other user');
    const tasks = async () => {
      const { out } = await runCommand(['tasks', '--json'], {}, lent(database));
      return (JSON.parse(out) as { tasks: { kind: string; attempts: number }[] }).tasks;
    };
    await eventually(async () => (await tasks()).length === 2, 'two tasks');
    expect((await tasks()).map(({ kind, attempts }) => `${kind} ${attempts}`)).to.deep.equal([
      'webhook 1',
      'webhook 1',
    ]);
    expect((await listed(id)).waiting).to.equal(3);
    expect(await gauge('curvekit_webhook_oldest_seconds')).to.be.above(0);
    ahead = DAY_MS - HOUR_MS;
    await eventually(() => asked.length === 4, 'the second attempts');
    expect((await listed(id)).dead).to.equal(0);
    ahead = DAY_MS + 4 * HOUR_MS;
    await eventually(async () => (await listed(id)).dead === 3, 'three dead letters');
    expect(asked.filter((one) => one !== '/ user.registered')).to.deep.equal(['/ reward.claimable']);
    const { waiting, deadLetters } = await listed(id);
    expect(waiting).to.equal(0);
    expect(deadLetters.map(({ type, problem }) => `${type}: ${problem}`)).to.have.members([
      'user.registered: it answers HTTP 307',
      'user.registered: it answers HTTP 307',
      'reward.claimable: it answers HTTP 307',
    ]);
    const ofReward = deadLetters.find(({ type }) => type === 'reward.claimable')!.event;
    receiver.respond = () => false;
    expect(await curvekit('replay', id, '--from', ofReward)).to.include({ events: 2 });
    await taken(2);
    expect(receiver.taken.map(({ type, data }) => [type, data['user']])).to.deep.equal([
      ['reward.claimable', user],
      ['user.registered', other],
    ]);
    expect((await listed(id)).dead).to.equal(1);
    expect(await curvekit('replay', id, '--from', '2026-01-01T00:00:00Z')).to.include({ events: 3 });
    await taken(5);
    expect(receiver.taken[2]!.type).to.equal('user.registered');
    const again = new Set(receiver.taken.slice(2).map((one) => one.id));
    expect(again).to.deep.equal(new Set(deadLetters.map(({ event }) => event)));
    expect((await listed(id)).dead).to.equal(0);
    expect(await tasks()).to.deep.equal([]);
  });

  it('is tried again when a 200 comes too late, and ends with the head of one whose body never ends', async () => {
    const acme = await partner();
    const id = await add(acme);
    await register(acme);
    const asked: string[] = [];
    receiver.respond = (event, response) => {
      asked.push(event.id);
      if (asked.length === 1) setTimeout(() => response.end(), TIMEOUT_MS + 500);
      else {
        receiver.taken.push(event);
        response.write('{');
      }
      return true;
    };
    start();
    await eventually(async () => (await listed(id)).problem !== null, 'the late answer');
    expect((await listed(id)).problem).to.contain(`did not answer in ${TIMEOUT_MS} ms`);
    expect((await listed(id)).waiting).to.equal(1);
    ahead = HOUR_MS;
    await eventually(async () => (await listed(id)).waiting === 0, 'the second attempt');
    expect(asked).to.deep.equal([asked[0], asked[0]]);
    expect(receiver.taken).to.have.length(1);
  });

  it('ends with 410 until a replay, tests an endpoint, signs with two secrets, and is removed', async () => {
    const { id, secret } = await curvekit<{ id: string; secret: string }>(
      'add',
      `${receiver.url}/own`,
      '--types',
      'payments.held',
    );
    receiver.secrets.set('/own', secret);
    start();
    expect(await curvekit('test', id)).to.include({ taken: true, problem: null });
    expect(receiver.taken.map(({ type }) => type)).to.deep.equal(['webhook.test']);
    const { secret: next } = await curvekit<{ secret: string }>('rotate', id);
    await curvekit('test', id);
    receiver.secrets.set('/own', next);
    await curvekit('test', id);
    expect(receiver.taken.map(({ signatures }) => signatures.length)).to.deep.equal([1, 2, 2]);
    await curvekit('rotate', id, '--overlap', '0s');
    expect(await curvekit('test', id)).to.include({ taken: false, problem: 'it answers HTTP 400' });
    receiver.secrets.set('/own', (await curvekit<{ secret: string }>('rotate', id)).secret);
    receiver.respond = (_event, response) => {
      response.writeHead(410).end();
      return true;
    };
    expect((await curvekit<{ problem: string }>('test', id)).problem).to.contain('410');
    expect((await listed(id)).state).to.equal('disabled');
    receiver.respond = () => false;
    const { webhooks } = await curvekit<{ webhooks: object[] }>('list');
    expect(webhooks).to.have.length(1);
    expect(JSON.stringify(webhooks)).not.to.contain('whsec');
    await curvekit('replay', id, '--from', receiver.taken[2]!.id);
    await taken(5);
    expect((await listed(id)).state).to.equal('active');
    await curvekit('remove', id);
    expect(await curvekit('list')).to.deep.equal({ webhooks: [] });
    expect(await refusal('remove', id)).to.contain(`There is no webhook ${id}`);
    expect(await refusal('add', 'https://example.com', '--types', 'claim.ended')).to.contain(
      'the types are token.launched',
    );
  });

  it('goes to no address inside the network, by number or by name', async () => {
    for (const [url, why] of [
      ['http://example.com', 'https'],
      ['https://127.0.0.1', 'public'],
      ['https://[::1]:8443/hook', 'public'],
      ['https://169.254.169.254/latest', 'public'],
      ['https://user:password@example.com', 'password'],
      [`https://example.com/${'x'.repeat(2_048)}`, '2048'],
    ] as const)
      expect(await refusal('add', url, 'off'), url).to.contain(why);
    const names = await startNameServer(() => ['127.0.0.1']);
    atEnd(() => names.stop());
    const event = { id: 'msg_1', type: 'webhook.test', data: '{}', at: 0 };
    const limits = {
      allowsInside: false,
      signal: new AbortController().signal,
      nameServers: [names.address],
    };
    const to = { url: `https://inside.test:${new URL(receiver.url).port}/`, secrets: ['whsec_c2VjcmV0'] };
    expect(await send(to, event, limits)).to.deep.equal({ problem: 'inside.test has no public address' });
    expect(await send({ ...to, url: receiver.url }, event, limits)).to.deep.equal({
      problem: 'the URL must be an https URL',
    });
  });
});
