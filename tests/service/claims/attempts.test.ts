// What the service does when a claim cannot be stored at once, and what a claim of both kinds of rewards pays.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { Claims } from '#app/claims/claims.js';
import { ClaimRefusedError, type ClaimRefusal } from '#app/claims/refusal.js';
import { ClaimsRepository, type NotStored } from '#app/claims/repository.js';
import { credit } from '#app/ledger/credit.js';
import { createMetrics } from '#app/metrics.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { NETWORK_FEE, useClaims } from '#tests/service/claims.js';
import type { ApiAnswer } from '#tests/service/api-client.js';
import { reward, untilClaim } from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';

const ATTEMPTS = 5;
const IN_PROGRESS = /^A claim for this token is in progress already$/;

describe(`claims that are stored later, or never (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, scene, claimSol, rewarded, submit, unclaimed } = useClaims();

  type Store = ClaimsRepository['store'];

  /** The service's claims, with something that happens before each is stored. */
  function claimsWith(before: (claim: Parameters<Store>[0]) => Promise<NotStored | undefined>): Claims {
    const real = new ClaimsRepository(scene().database);
    return new Claims(
      { ...scene().service.context, metrics: createMetrics({ ofProcess: false }) },
      {
        database: scene().database,
        duties: (mint) => real.duties(mint),
        store: async (claim, answer, funds) => (await before(claim)) ?? real.store(claim, answer, funds),
      },
    );
  }
  const requestOf = (wallet: Keypair) => ({
    ...{ wallet: wallet.publicKey.toBase58(), mint: scene().mint, asset: 'SOL' as const },
    ...{ burn: false, idempotencyKey: undefined },
  });

  // First, while no claim is in progress.
  it('of which another one was stored meanwhile are in progress, not short', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stored: ApiAnswer[] = [];
    let tries = 0;
    const claims = claimsWith(async () => {
      // After the service has read that nothing is in progress.
      if ((tries += 1) === 2) stored.push(await claimSol(wallet));
      return 'short of SOL';
    });
    const { refusal } = await rejection(claims.initiate(requestOf(wallet)), ClaimRefusedError);
    expect([tries, refusal]).to.deep.equal([2, 'in progress']);
    const signature = await submit(stored[0]!, wallet);
    await finalize(cluster());
    await untilClaim(scene().api, signature, 'COMPLETED');
  });

  it('that seem uncovered are tried once more with new balances, and then refused', async () => {
    const wallet = await rewarded('SOL', SOL);
    let tries = 0;
    const refused = claimsWith(() => Promise.resolve((tries += 1) > 0 ? 'short of SOL' : undefined));
    const { refusal, message } = await rejection(refused.initiate(requestOf(wallet)), ClaimRefusedError);
    expect([tries, refusal]).to.deep.equal([2, 'later']);
    expect(message).to.match(/^The treasury is short of SOL.* at the moment; try again later$/);

    tries = 0;
    const covered = claimsWith(() => Promise.resolve((tries += 1) === 1 ? 'short of SOL' : undefined));
    expect(await covered.initiate(requestOf(wallet))).to.be.a('string');
    expect(tries).to.equal(2);
  });

  it('are tried five times while rewards arrive, with the new amount each time', async () => {
    for (const changes of [ATTEMPTS - 1, ATTEMPTS]) {
      const wallet = await rewarded('SOL', SOL);
      const amounts: bigint[] = [];
      const claims = claimsWith(async ({ amount }) => {
        amounts.push(amount);
        if (amounts.length <= changes)
          await reward(scene().database, wallet.publicKey, scene().mint, 'SOL', 1n);
        return undefined;
      });
      const claim = claims.initiate(requestOf(wallet));
      if (changes < ATTEMPTS) expect(await claim).to.be.a('string');
      else {
        const { refusal, message } = await rejection(claim, ClaimRefusedError);
        expect([refusal, message]).to.deep.equal([
          'unavailable',
          'The rewards are changing right now; try again',
        ]);
      }
      expect(amounts).to.deep.equal(Array.from({ length: ATTEMPTS }, (_, extra) => SOL + BigInt(extra)));
    }
  });

  it('that seem uncovered are tried for three seconds while another claim is in progress', async () => {
    await claimSol(await rewarded('SOL', SOL));
    const wallet = await rewarded('SOL', SOL);
    let tries = 0;
    const covered = claimsWith(() => Promise.resolve((tries += 1) < 5 ? 'short of SOL' : undefined));
    expect(await covered.initiate(requestOf(wallet))).to.be.a('string');
    expect(tries).to.equal(5);

    const other = await rewarded('SOL', SOL);
    tries = 0;
    const refused = claimsWith(() => Promise.resolve((tries += 1) > 0 ? 'short of SOL' : undefined));
    const since = performance.now();
    expect((await rejection(refused.initiate(requestOf(other)), ClaimRefusedError)).refusal).to.equal(
      'later',
    );
    expect(performance.now() - since).to.be.within(3_000, 30_000);
    // With pauses, in which a payment can end.
    expect(tries).to.be.within(3, 11);
  });

  const endings: readonly (readonly [NotStored, ClaimRefusal, RegExp])[] = [
    ['in progress', 'in progress', IN_PROGRESS],
    ['key taken', 'in progress', IN_PROGRESS],
    [
      'held: the reason is for the operator',
      'unavailable',
      /^Claims are closed for now; try again in a minute$/,
    ],
  ];
  for (const [notStored, refusal, says] of endings)
    it(`are not tried again when they are refused with '${notStored}'`, async () => {
      let tries = 0;
      const claims = claimsWith(() => Promise.resolve((tries += 1) > 0 ? notStored : undefined));
      const refused = claims.initiate(requestOf(await rewarded('SOL', SOL)));
      const error = await rejection(refused, ClaimRefusedError);
      expect([tries, error.refusal]).to.deep.equal([1, refusal]);
      expect(error.message).to.match(says);
    });

  it('of referrals whose fees are not in the treasury are refused for now, and counted', async () => {
    const wallet = Keypair.generate();
    const { database, mint, service } = scene();
    await database.transaction((tx) =>
      credit(tx, 'referral', {
        ...{ key: 'not funded', mint, asset: 'SOL' },
        credits: [{ wallet: wallet.publicKey.toBase58(), amount: SOL }],
      }),
    );
    const { registry } = service.context.metrics;
    const counted = async () =>
      (await registry.getSingleMetric('curvekit_claims_refused_treasury_total')!.get()).values[0]!.value;
    const before = await counted();
    const { status, body } = await claimSol(wallet);
    expect([status, body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
    expect(body['message']).to.match(/^The fees that pay these referral rewards are not in the treasury yet/);
    expect(await counted()).to.equal(before + 1);
  });

  it('pay rewards of settlements and of referrals together', async () => {
    const wallet = await rewarded('SOL', SOL);
    const { database, mint } = scene();
    await database.transaction((tx) =>
      credit(tx, 'referral', {
        ...{ key: 'both', mint, asset: 'SOL' },
        credits: [{ wallet: wallet.publicKey.toBase58(), amount: SOL }],
      }),
    );
    await database.queries.execute(sql`select treasury_fund('both', ${String(SOL)}::numeric, 1)`);
    await submit(await claimSol(wallet), wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(2n * SOL - NETWORK_FEE);
    expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
  });
});
