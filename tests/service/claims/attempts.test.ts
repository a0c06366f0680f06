// What the service does when a claim cannot be stored at once, and what a claim of both kinds of rewards pays.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { Claims } from '#app/claims/claims.js';
import { ClaimRefusedError, type ClaimRefusal } from '#app/claims/refusal.js';
import { ClaimsRepository, type NewClaim, type NotStored } from '#app/claims/repository.js';
import { credit } from '#app/ledger/credit.js';
import { createMetrics } from '#app/base/metrics.js';
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
  const { cluster, scene, claimSol, counted, rewarded, submit, unclaimed } = useClaims();

  /**
   * The service's claims, with something that happens before each is stored.
   *
   * @param before gets the number of the try, from 1; what it returns is the reason why the claim is not stored
   */
  function claimsWith(
    before: (tries: number, claim: NewClaim) => NotStored | undefined | Promise<NotStored | undefined>,
  ): { readonly claims: Claims; readonly tries: () => number } {
    const real = new ClaimsRepository(scene().database);
    let tries = 0;
    const claims = new Claims(
      { ...scene().service.context, metrics: createMetrics({ ofProcess: false }) },
      {
        database: scene().database,
        duties: (mint) => real.duties(mint),
        store: async (claim, answer, funds) =>
          (await before((tries += 1), claim)) ?? real.store(claim, answer, funds),
      },
    );
    return { claims, tries: () => tries };
  }
  const requestOf = (wallet: Keypair) => ({
    ...{ wallet: wallet.publicKey.toBase58(), mint: scene().mint, asset: 'SOL' as const },
    ...{ burn: false, idempotencyKey: undefined },
  });

  async function creditReferral(wallet: Keypair): Promise<void> {
    const { database, mint } = scene();
    const name = wallet.publicKey.toBase58();
    const credits = [{ wallet: name, amount: SOL }];
    await database.transaction((tx) =>
      credit(tx, 'referral', { key: `referral of ${name}`, mint, asset: 'SOL', credits }),
    );
  }

  // First, while no claim is in progress.
  it('claims of which another one was stored meanwhile are in progress, not short', async () => {
    const wallet = await rewarded('SOL', SOL);
    const stored: ApiAnswer[] = [];
    const { claims, tries } = claimsWith(async (attempt): Promise<NotStored> => {
      // After the service has read that nothing is in progress.
      if (attempt === 2) stored.push(await claimSol(wallet));
      return 'short of SOL';
    });
    const { refusal } = await rejection(claims.initiate(requestOf(wallet)), ClaimRefusedError);
    expect([tries(), refusal]).to.deep.equal([2, 'in progress']);
    const signature = await submit(stored[0]!, wallet);
    await finalize(cluster());
    await untilClaim(scene().api, signature, 'COMPLETED');
  });

  it('claims that seem uncovered are tried once more with new balances, and then refused', async () => {
    const wallet = await rewarded('SOL', SOL);
    const refused = claimsWith(() => 'short of SOL');
    const { refusal, message } = await rejection(
      refused.claims.initiate(requestOf(wallet)),
      ClaimRefusedError,
    );
    expect([refused.tries(), refusal]).to.deep.equal([2, 'later']);
    expect(message).to.match(/^The treasury is short of SOL.* at the moment; try again later$/);

    const covered = claimsWith((attempt) => (attempt === 1 ? 'short of SOL' : undefined));
    expect(await covered.claims.initiate(requestOf(wallet))).to.be.a('string');
    expect(covered.tries()).to.equal(2);
  });

  it('are tried five times while rewards arrive, with the new amount each time', async () => {
    for (const changes of [ATTEMPTS - 1, ATTEMPTS]) {
      const wallet = await rewarded('SOL', SOL);
      const amounts: bigint[] = [];
      const { claims } = claimsWith(async (attempt, { amount }) => {
        amounts.push(amount);
        if (attempt <= changes) await reward(scene().database, wallet.publicKey, scene().mint, 'SOL', 1n);
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

  it('claims that seem uncovered are tried for three seconds while another claim is in progress', async () => {
    await claimSol(await rewarded('SOL', SOL));
    const wallet = await rewarded('SOL', SOL);
    const covered = claimsWith((attempt) => (attempt < 5 ? 'short of SOL' : undefined));
    expect(await covered.claims.initiate(requestOf(wallet))).to.be.a('string');
    expect(covered.tries()).to.equal(5);

    const other = await rewarded('SOL', SOL);
    const refused = claimsWith(() => 'short of SOL');
    const since = performance.now();
    expect((await rejection(refused.claims.initiate(requestOf(other)), ClaimRefusedError)).refusal).to.equal(
      'later',
    );
    expect(performance.now() - since).to.be.within(3_000, 30_000);
    // With pauses, in which a payment can end.
    expect(refused.tries()).to.be.within(3, 11);
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
      const { claims, tries } = claimsWith(() => notStored);
      const refused = claims.initiate(requestOf(await rewarded('SOL', SOL)));
      const error = await rejection(refused, ClaimRefusedError);
      expect([tries(), error.refusal]).to.deep.equal([1, refusal]);
      expect(error.message).to.match(says);
    });

  it('claims of referrals whose fees are not in the treasury are refused for now, and counted', async () => {
    const wallet = Keypair.generate();
    await creditReferral(wallet);
    const before = await counted('curvekit_claims_refused_treasury_total');
    const { status, body } = await claimSol(wallet);
    expect([status, body['code']]).to.deep.equal([400, 'CLAIM_ERROR']);
    expect(body['message']).to.match(/^The fees that pay these referral rewards are not in the treasury yet/);
    expect(await counted('curvekit_claims_refused_treasury_total')).to.equal(before + 1);
  });

  it('pay rewards of settlements and of referrals together', async () => {
    const wallet = await rewarded('SOL', SOL);
    await creditReferral(wallet);
    await scene().database.queries.execute(sql`select treasury_fund('both', ${String(SOL)}::numeric, 1)`);
    await submit(await claimSol(wallet), wallet);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(2n * SOL - NETWORK_FEE);
    expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
  });
});
