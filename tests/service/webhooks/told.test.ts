// What a running service tells partners and the operator, by the Partner API and the command line. threat: told-fork, foreign-events
import { Keypair, SystemProgram } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { expect } from 'chai';
import { issueKey } from '#app/partners/keys.js';
import type { Scope } from '#app/partners/scopes.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import type { ApiAnswer } from '#tests/service/api-client.js';
import { lent, runCommand } from '#tests/service/cli.js';
import { signText } from '#tests/service/partner-service.js';
import { initiate, reward, transactionOf, untilClaim, useRewardsScene } from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { startReceiver, type Receiver } from '#tests/service/webhook-receiver.js';

const WEBHOOKS = '/v1/partner/webhooks';

describe(`what webhooks tell (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const cluster = useCluster();
  const scene = useRewardsScene(cluster, () => ({ environment: { REFERRAL_SHARE_BPS: '1000' } }));
  let receiver: Receiver;
  before(async () => (receiver = await startReceiver()));
  after(() => receiver.stop());

  const keyOf = async (partner: string, scopes?: readonly Scope[]) => {
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    const keys = { database: scene.database, now: Date.now };
    return (await issueKey(keys, { partner, payoutWallet, ...(scopes && { scopes }) })).key;
  };
  const post = (key: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    scene.api.post(path, body, { 'x-api-key': key });
  const hook = async (key: string, path: string, types?: readonly string[]) => {
    const { body } = await post(key, WEBHOOKS, { url: receiver.url + path, ...(types && { types }) });
    receiver.secrets.set(path, body['secret'] as string);
    return body['id'] as string;
  };
  const told = (path: string) => receiver.taken.filter((event) => event.path === path);
  const untilTold = (path: string, ...types: string[]) =>
    eventually(
      () => types.every((type) => told(path).some((event) => event.type === type)),
      () =>
        `${types.join(', ')} at ${path}; there were ${told(path)
          .map(({ type }) => type)
          .join(', ')}`,
    );

  it('are registrations, final rewards and ended claims to their partner only; launches and graduations, when final, to the operator', async () => {
    const [acme, other] = [await keyOf('Acme'), await keyOf('Other')];
    await hook(acme, '/acme');
    await hook(acme, '/claims', ['claim.ended']);
    await hook(other, '/other');
    const { exitCode, out } = await runCommand(
      ['webhook', 'add', `${receiver.url}/operator`, '--json'],
      { SIMULATED_CLUSTER: 'on' },
      lent(scene.database),
    );
    expect(exitCode).to.equal(0);
    receiver.secrets.set('/operator', (JSON.parse(out) as { secret: string }).secret);

    const user = await cluster().fundedWallet(200n * SOL);
    const { body } = await scene.api.get('/v1/internal/auth/get-message', { headers: { 'x-api-key': acme } });
    const { message, nonce } = body as { message: string; nonce: string };
    const publicKey = user.publicKey.toBase58();
    const signature = signText(user, message);
    expect((await post(acme, '/v1/internal/auth/register', { publicKey, signature, nonce })).status).to.equal(
      200,
    );
    await untilTold('/acme', 'user.registered');
    // A later slot than the registration's.
    await cluster().send(
      [SystemProgram.transfer({ fromPubkey: user.publicKey, toPubkey: user.publicKey, lamports: 1 })],
      [user],
    );

    const token = await launch(cluster());
    const mint = token.mint.toBase58();
    await buyTokens(cluster(), token, user, 1n * SOL);
    await buyTokens(cluster(), token, user, 100n * SOL);
    const indexed = async (): Promise<number> =>
      scene.database.queries.$count(sql`(select 1 from trades where trader = ${publicKey} limit 2) t`);
    await eventually(async () => (await indexed()) === 2, 'both buys in the index');
    expect(receiver.taken.map(({ type }) => type)).to.deep.equal(['user.registered']);
    await finalize(cluster());
    await untilTold('/operator', 'token.launched', 'token.graduated');
    await eventually(() => told('/acme').length === 3, 'two rewards');
    expect(
      told('/operator')
        .filter(({ data }) => data['mint'] === mint)
        .map(({ type }) => type),
    ).to.deep.equal(['token.launched', 'token.graduated']);
    expect(told('/operator').find(({ data }) => data['mint'] === mint)!.data).to.include({
      mint,
      creator: cluster().payer.publicKey.toBase58(),
      signature: token.created.signature,
    });
    const rewards = told('/acme').slice(1);
    for (const { type, data } of rewards) {
      expect(type).to.equal('reward.claimable');
      expect(data).to.include({ user: publicKey, mint });
      expect(BigInt(data['reward'] as string)).to.equal(BigInt(data['fee'] as string) / 10n);
    }
    expect(BigInt(rewards[0]!.data['fee'] as string) < BigInt(rewards[1]!.data['fee'] as string)).to.equal(
      true,
    );

    await reward(scene.database, user.publicKey, scene.mint, 'SOL', 7n * SOL);
    const answer = await initiate(scene, user, { claimType: 'SOL' });
    const transaction = transactionOf(answer);
    transaction.sign([user]);
    const claim = (await cluster().sendSigned(transaction)).signature;
    await finalize(cluster());
    await untilClaim(scene.api, claim, 'COMPLETED');
    await untilTold('/acme', 'claim.ended');
    await untilTold('/claims', 'claim.ended');
    expect(told('/acme').at(-1)!.data).to.deep.equal({
      signature: claim,
      wallet: publicKey,
      mint: scene.mint,
      asset: 'SOL',
      amount: String(7n * SOL),
      status: 'COMPLETED',
    });
    expect(told('/claims')).to.have.length(1);
    expect(told('/other')).to.deep.equal([]);
  });

  it('are a settlement that is done, and held payments', async () => {
    const { mint } = scene;
    const signature = 'a settlement';
    await scene.database.queries.execute(sql`
      insert into settlements (mint, state, creator, signature, sol, sol_creator) values (${mint}, 'paid', ${mint}, ${signature}, 5, 5)`);
    expect(told('/operator').some(({ type }) => type === 'token.settled')).to.equal(false);
    await scene.database.queries.execute(sql`select settlement_credit(id, 10) from settlements`);
    await untilTold('/operator', 'token.settled');
    expect(told('/operator').at(-1)!.data).to.include({ mint, signature, sol: '5', token: '0' });
  });

  it('are managed with the scopes of webhooks, each partner its own', async () => {
    const [key, reading, writing] = [
      await keyOf('All'),
      await keyOf('Reading', ['webhooks:read', 'users:write']),
      await keyOf('Writing', ['webhooks:write']),
    ];
    const refused = async (answer: Promise<ApiAnswer>) => {
      const { status, body } = await answer;
      return `${status} ${String(body['error'])}`;
    };
    const get = (by: string) => scene.api.get(WEBHOOKS, { headers: { 'x-api-key': by } });
    const url = `${receiver.url}/all`;
    expect((await get(reading)).body).to.deep.equal({ webhooks: [] });
    expect(await refused(get(writing))).to.equal('403 SCOPE_MISSING');
    expect(await refused(post(reading, WEBHOOKS, { url }))).to.equal('403 SCOPE_MISSING');
    expect(await refused(post('none', WEBHOOKS, { url }))).to.equal('401 INVALID_API_KEY');
    const id = await hook(key, '/all');
    for (const [path, body] of [
      ['rotate', {}],
      ['replay', { from: '2026-01-01T00:00:00Z' }],
      ['test'],
      ['remove'],
    ] as const) {
      expect(await refused(post(writing, `${WEBHOOKS}/${id}/${path}`, body)), path).to.equal(
        '404 WEBHOOK_NOT_FOUND',
      );
      expect(await refused(post(reading, `${WEBHOOKS}/${id}/${path}`, body)), path).to.equal(
        '403 SCOPE_MISSING',
      );
    }
    const { event } = (await post(key, `${WEBHOOKS}/${id}/test`)).body as { event: string };
    await untilTold('/all', 'webhook.test');
    expect(told('/all')[0]!.id).to.equal(event);
    expect((await post(key, `${WEBHOOKS}/${id}/replay`, { from: event })).body).to.deep.equal({ events: 1 });
    await eventually(() => told('/all').length === 2, 'the replay');
    const { secret } = (await post(key, `${WEBHOOKS}/${id}/rotate`, { overlapSeconds: 60 })).body as {
      secret: string;
    };
    receiver.secrets.set('/all', secret);
    await post(key, `${WEBHOOKS}/${id}/test`);
    await eventually(() => told('/all').length === 3, 'an event with the new secret');
    expect(told('/all')[2]!.signatures).to.have.length(2);
    expect((await get(key)).text).not.to.contain('whsec');

    for (const [path, body, why] of [
      ['', { url: 'ftp://example.com' }, 'url'],
      ['', { url, types: ['token.launched'] }, 'types'],
      ['', { url, secret }, 'secret'],
      [`/${id}/replay`, { from: 'yesterday' }, 'from'],
      [`/${id}/rotate`, { overlapSeconds: -1 }, 'overlapSeconds'],
      ['/x/test', undefined, 'id'],
    ] as const) {
      const { status, body: answer } = await post(key, WEBHOOKS + path, body);
      expect(status, why).to.equal(400);
      expect(answer['message']).to.contain(why);
    }
    const unknown = { from: `msg_${'0'.repeat(32)}` };
    expect(await refused(post(key, `${WEBHOOKS}/${id}/replay`, unknown))).to.equal('404 EVENT_NOT_FOUND');
    for (let count = 1; count < 10; count += 1) await hook(key, '/all');
    expect(await refused(post(key, WEBHOOKS, { url }))).to.equal('409 TOO_MANY_WEBHOOKS');
    expect((await post(key, `${WEBHOOKS}/${id}/remove`)).body).to.deep.equal({ removed: id });
    expect(((await get(key)).body['webhooks'] as object[]).length).to.equal(9);
  });
});
