import { expect } from 'chai'; // threat: double-claim
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import { Claims } from '#app/claims/claims.js';
import { ClaimRefusedError } from '#app/claims/refusal.js';
import { idempotencyKeys } from '#app/db/schema/index.js';
import { createMetrics } from '#app/base/metrics.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { fieldsOf } from '#tests/service/api-client.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { initiate, reward, untilClaim } from '#tests/service/rewards.js';
import { rejection } from '#tests/mocha/failures.js';
import { finalize } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';
import { DAY_MS, NETWORK_FEE, TOKENS, useClaims } from '#tests/service/claims.js';

describe(`claims (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, scene, clock, rewarded, claimSol, claimTokens, submit, unclaimed } = useClaims();

  it("claims of the treasury's own wallet are refused", async () => {
    await reward(scene().database, scene().treasury.publicKey, scene().mint, 'SOL', SOL);
    const answer = await claimSol(scene().treasury);
    expect([answer.status, answer.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
    expect(answer.body['message']).to.match(/treasury itself/);
  });

  it('are refused with 503, and reserve nothing, if the service has no treasury', async () => {
    const wallet = await rewarded('SOL', SOL);
    const { context } = scene().service;
    const closed = new Claims(
      {
        ...context,
        config: { ...context.config, treasury: undefined },
        metrics: createMetrics({ ofProcess: false }),
      },
      new ClaimsRepository(scene().database),
    );
    const order = {
      wallet: wallet.publicKey.toBase58(),
      mint: scene().mint,
      asset: 'SOL',
      burn: false,
    } as const;
    const refused = await rejection(
      closed.initiate({ ...order, idempotencyKey: undefined }),
      ClaimRefusedError,
    );
    expect(refused.refusal).to.equal('unavailable');
    expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
  });

  it('claims of unknown tokens are refused', async () => {
    const wallet = Keypair.generate();
    const tokenAddress = Keypair.generate().publicKey.toBase58();
    const answer = await initiate(scene(), wallet, { claimType: 'SOL', tokenAddress });
    expect([answer.status, answer.body['code']]).to.deep.equal([404, 'TOKEN_NOT_FOUND']);
  });

  it('return one transaction and 199 refusals for 200 concurrent requests', async () => {
    const wallet = await rewarded('SOL', SOL);
    const answers = await Promise.all(Array.from({ length: 200 }, () => claimSol(wallet)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 199 }, () => 409)]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body['code'] as string))).to.deep.equal(
      new Set(['CLAIM_IN_PROGRESS']),
    );
    expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
  });

  it('a claim of SOL and a claim of tokens exclude each other for one wallet and token; other wallets are not affected', async () => {
    const wallet = await rewarded('SOL', SOL);
    await reward(scene().database, wallet.publicKey, scene().mint, 'TOKEN', TOKENS);
    const [first, second] = await Promise.all([claimSol(wallet), claimTokens(wallet)]);
    expect([first.status, second.status].sort()).to.deep.equal([200, 409]);
    const other = await rewarded('SOL', SOL);
    expect((await claimSol(other)).status).to.equal(200);
  });

  it('claims of equal amounts of two tokens are two transactions, and both pay', async () => {
    const wallet = await rewarded('SOL', SOL);
    const other = Keypair.generate().publicKey.toBase58();
    await reward(scene().database, wallet.publicKey, other, 'SOL', SOL);
    const answers = await Promise.all([
      claimSol(wallet),
      initiate(scene(), wallet, { claimType: 'SOL', tokenAddress: other }),
    ]);
    for (const answer of answers) await submit(answer, wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(2n * (SOL - NETWORK_FEE));
  });

  it('in progress leave rewards that arrive meanwhile claimable afterwards', async () => {
    const wallet = await rewarded('SOL', SOL);
    const signature = await submit(await claimSol(wallet), wallet);
    await reward(scene().database, wallet.publicKey, scene().mint, 'SOL', 2n * SOL);
    expect((await claimSol(wallet)).status).to.equal(409);
    expect(await unclaimed(wallet)).to.deep.equal({ sol: 2n * SOL, token: 0n });
    await finalize(cluster());
    await untilClaim(scene().api, signature, 'COMPLETED');
    await submit(await claimSol(wallet), wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(3n * SOL - 2n * NETWORK_FEE);
  });

  describe('with an Idempotency-Key', () => {
    const claimWith = (wallet: Keypair, key: string, body: Record<string, unknown> = {}) =>
      initiate(scene(), wallet, { claimType: 'SOL', ...body }, { 'Idempotency-Key': key });

    it('return the same answer again, also while the claim is in progress', async () => {
      const wallet = await rewarded('SOL', SOL);
      const first = await claimWith(wallet, 'key-1');
      const second = await claimWith(wallet, 'key-1');
      expect(first.status).to.equal(200);
      expect(second.text).to.equal(first.text);
      expect((await claimWith(wallet, 'key-2')).status).to.equal(409);
    });

    it('return one transaction to concurrent requests', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answers = await Promise.all(Array.from({ length: 20 }, () => claimWith(wallet, 'at-once')));
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(answers[0]!.status).to.equal(200);
    });

    it('are refused if the body differs', async () => {
      const wallet = await rewarded('SOL', SOL);
      await claimWith(wallet, 'key');
      const other = await claimWith(wallet, 'key', { claimType: 'TOKEN' });
      expect([other.status, other.body['code']]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('repeat a final refusal, even after a reward has arrived', async () => {
      const wallet = Keypair.generate();
      const first = await claimWith(wallet, 'early');
      expect([first.status, first.body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
      await reward(scene().database, wallet.publicKey, scene().mint, 'SOL', SOL);
      expect((await claimWith(wallet, 'early')).text).to.equal(first.text);
      expect((await claimWith(wallet, 'later')).status).to.equal(200);
    });

    it('are processed again once the key is 24 hours old, with any body', async () => {
      const wallet = Keypair.generate();
      const early = await claimWith(wallet, 'old');
      expect(early.body['code']).to.equal('CLAIM_ERROR');
      await reward(scene().database, wallet.publicKey, scene().mint, 'TOKEN', TOKENS);
      const [kept] = await scene()
        .database.queries.select()
        .from(idempotencyKeys)
        .where(eq(idempotencyKeys.wallet, wallet.publicKey.toBase58()));
      expect(kept!.expiresAt.getTime() - Date.now() - clock.ahead).to.be.within(DAY_MS - 60_000, DAY_MS);
      const age = (to: number) =>
        scene()
          .database.queries.update(idempotencyKeys)
          .set({ expiresAt: new Date(to) })
          .where(eq(idempotencyKeys.wallet, wallet.publicKey.toBase58()));
      await age(Date.now() + clock.ahead + 30_000);
      expect((await claimWith(wallet, 'old')).text).to.equal(early.text);
      expect((await claimWith(wallet, 'old', { claimType: 'TOKEN' })).status).to.equal(422);

      await age(Date.now() + clock.ahead);
      const anew = await claimWith(wallet, 'old', { claimType: 'TOKEN' });
      expect(anew.status).to.equal(200);
      expect((await claimWith(wallet, 'old', { claimType: 'TOKEN' })).text).to.equal(anew.text);
      expect((await claimWith(wallet, 'old')).status).to.equal(422);
    });

    it('are refused if the key is malformed', async () => {
      const wallet = await rewarded('SOL', SOL);
      for (const key of ['x'.repeat(256), 'with space']) {
        const answer = await claimWith(wallet, key);
        expect(answer.status).to.equal(400);
        expect(fieldsOf(answer)).to.deep.equal(['idempotency-key']);
      }
    });
  });
});
