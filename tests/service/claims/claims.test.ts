// Which claims the service stores, which it refuses and with what words, and what it answers to a key twice.
// threat: double-claim, reorg-reward, failing-claims, account-rent, unsigned-claims
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import { AuthorityType, createSetAuthorityInstruction } from '@solana/spl-token';
import bs58 from 'bs58';
import { like, sql } from 'drizzle-orm';
import { Claims } from '#app/claims/claims.js';
import { ClaimRefusedError, type ClaimRefusal } from '#app/claims/refusal.js';
import { createMetrics } from '#app/base/metrics.js';
import { claims as claimsTable, idempotencyKeys } from '#app/db/schema/index.js';
import { ClaimsRepository, type NotStored } from '#app/claims/repository.js';
import { credit } from '#app/ledger/credit.js';
import { fieldsOf } from '#tests/service/api-client.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { initiate, reward, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { rejection } from '#tests/mocha/failures.js';
import { eventually, finalize } from '#tests/service/service.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { DAY_MS, TOKENS, useClaims } from '#tests/service/claims.js';

const ATTEMPTS = 5;
const REFUSED_BY_TREASURY = 'curvekit_claims_refused_treasury_total';
const CLAIM_ERROR = [400, 'CLAIM_ERROR'] as const;

describe(`claims (${DATABASE_KIND})`, () => {
  const { cluster, scene, clock, rewarded, counted, claimSol, claimTokens, submit, unclaimed, closeAccount } =
    useClaims();
  const nameOf = ({ publicKey }: Keypair) => publicKey.toBase58();
  const inDatabase = (statement: ReturnType<typeof sql>) => scene.database.queries.execute(statement);
  const completed = async (signature: string) => {
    await finalize(cluster());
    await untilClaim(scene.api, signature, 'COMPLETED');
  };
  const ago = (ms: number) => new Date(Date.now() + clock.ahead - ms);
  /** Ended claims, as rows. */
  const ended = (count: number, state: string, wallet?: Keypair, { mint = scene.mint, opens = false } = {}) =>
    inDatabase(sql`
      insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, opens_account, transaction,
        blockhash_slot, last_valid_block_height, state, created_at)
      select 'other ' || gen_random_uuid(), ${wallet === undefined ? sql`'wallet ' || i` : sql`${nameOf(wallet)}`}, ${mint}, 'TOKEN', 0,
        0, false, ${opens}, '', 1, 1, ${state}, ${ago(0).toISOString()}::timestamptz
      from generate_series(1, ${count}::integer) i`);
  const creditReferral = (wallet: Keypair) =>
    scene.database.transaction((tx) =>
      credit(tx, 'referral', {
        ...{ key: `referral of ${nameOf(wallet)}`, mint: scene.mint, asset: 'SOL' },
        credits: [{ wallet: nameOf(wallet), amount: SOL }],
      }),
    );
  const pending = (wallet: Keypair, asset: 'SOL' | 'TOKEN', amount: number) =>
    inDatabase(sql`insert into pending_rewards (record_id, wallet, mint, asset, amount)
      select id, ${nameOf(wallet)}, ${scene.mint}, ${asset}, ${amount} from records limit 1`);

  describe('are refused, and reserve nothing,', () => {
    const empty = (): Promise<Keypair> => Promise.resolve(Keypair.generate());
    const refusing =
      (asset: 'SOL' | 'TOKEN', amount: bigint, prepare: (wallet: Keypair) => Promise<unknown>) =>
      async () => {
        const wallet = await rewarded(asset, amount);
        await prepare(wallet);
        return wallet;
      };
    const ofPending = (asset: 'SOL' | 'TOKEN') => async () => {
      const wallet = Keypair.generate();
      await pending(wallet, asset, 9);
      return wallet;
    };
    const NOT_FINAL = 'are credited, but their trades are not finalized yet; try again in 15 seconds';
    const CLOSED = /^The token account that the treasury opened for this wallet was closed; open it again/;
    interface Refusal {
      readonly wallet: () => Promise<Keypair>;
      readonly claim?: Readonly<Record<string, unknown>>;
      readonly answer?: readonly [status: number, code: string];
      readonly says: string | RegExp;
      /** Whether the treasury is the reason, which its operator sees in a counter. */
      readonly isCounted?: boolean;
    }
    const REFUSALS: Readonly<Record<string, Refusal>> = {
      'of the treasury itself': {
        wallet: async () => {
          await reward(scene.database, scene.treasury.publicKey, scene.mint, 'SOL', SOL);
          return scene.treasury;
        },
        says: 'The treasury itself cannot claim',
      },
      'of a token that does not exist': {
        wallet: empty,
        claim: { tokenAddress: nameOf(Keypair.generate()) },
        answer: [404, 'TOKEN_NOT_FOUND'],
        says: 'There is no such token',
      },
      'of SOL that should be burned': {
        wallet: () => rewarded('SOL', SOL),
        claim: { burnToken: true },
        says: 'SOL cannot be burned; leave burnToken out or set it to false',
      },
      'when no SOL is credited': { wallet: empty, says: 'The SOL amount to claim is zero' },
      'when no tokens are credited': {
        wallet: () => rewarded('SOL', SOL),
        claim: { claimType: 'TOKEN' },
        says: 'The token amount to claim is zero',
      },
      'when the trades that earned the SOL are not finalized': {
        ...{ wallet: ofPending('SOL'), says: `The SOL amount to claim is zero: 9 lamports ${NOT_FINAL}` },
      },
      'when the trades that earned the tokens are not finalized': {
        ...{ wallet: ofPending('TOKEN'), claim: { claimType: 'TOKEN' } },
        says: `The token amount to claim is zero: 9 token units ${NOT_FINAL}`,
      },
      'when the treasury is short of SOL': {
        wallet: () => rewarded('SOL', 1_000_000n * SOL),
        says: 'The treasury is short of SOL at the moment; try again later',
        isCounted: true,
      },
      'when the treasury is short of tokens': {
        // The reward of the row before is gone: what is owed in SOL would be missing first.
        wallet: async () => {
          await cluster().setAccount(scene.treasury.publicKey, { lamports: 2_000_000n * SOL });
          return rewarded('TOKEN', 10n ** 15n);
        },
        claim: { claimType: 'TOKEN' },
        says: 'The treasury is short of tokens at the moment; try again later',
        isCounted: true,
      },
      'when the fees for the referral are not in the treasury': {
        wallet: async () => {
          const wallet = Keypair.generate();
          await creditReferral(wallet);
          return wallet;
        },
        says: 'The fees that pay these rewards are not in the treasury yet; try again later',
        isCounted: true,
      },
      'when the wallet gave its token account to another owner': {
        wallet: refusing('TOKEN', TOKENS, async (wallet) => {
          const account = await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
          const [owner, stranger] = [AuthorityType.AccountOwner, Keypair.generate().publicKey];
          const giveAway = createSetAuthorityInstruction(account, wallet.publicKey, owner, stranger);
          await cluster().send([giveAway], [cluster().payer, wallet]);
        }),
        claim: { claimType: 'TOKEN' },
        says: "The wallet's token account belongs to somebody else",
      },
      'when the wallet closed the account that a claim opened': {
        wallet: refusing('TOKEN', TOKENS, async (wallet) => {
          await completed(await submit(await claimTokens(wallet), wallet));
          await closeAccount(wallet);
          await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
        }),
        claim: { claimType: 'TOKEN' },
        says: CLOSED,
      },
      'when the wallet closed the account that a settlement opened': {
        wallet: refusing('TOKEN', TOKENS, (wallet) =>
          inDatabase(sql`insert into opened_accounts (owner, mint, subject)
            values (${nameOf(wallet)}, ${scene.mint}, 'settlement:1')`),
        ),
        claim: { claimType: 'TOKEN' },
        says: CLOSED,
      },
      'for a day after three claims of the wallet failed, of any token': {
        wallet: refusing('SOL', SOL, async (wallet) => {
          await ended(2, 'FAILED', wallet);
          await ended(1, 'FAILED', wallet, { mint: 'another' });
        }),
        says: '3 claims of this wallet failed on chain in the last 24 hours; try again tomorrow',
      },
      'for a day after ten claims of the wallet expired unsigned': {
        wallet: refusing('SOL', SOL, (wallet) => ended(10, 'EXPIRED', wallet)),
        says: '10 claims of this wallet expired without its signature in the last 24 hours; try again tomorrow',
      },
      'for a day after the treasury opened as many accounts as the operator allows': {
        wallet: refusing('TOKEN', TOKENS, () =>
          ended(scene.service.context.config.claimAccountsPerDay, 'COMPLETED', undefined, { opens: true }),
        ),
        claim: { claimType: 'TOKEN' },
        says: 'The treasury opens no more token accounts for now; open the account yourself, or try again tomorrow',
        isCounted: true,
      },
    };
    for (const [
      name,
      { wallet: prepare, claim, answer = CLAIM_ERROR, says, isCounted = false },
    ] of Object.entries(REFUSALS))
      it(name, async () => {
        const wallet = await prepare();
        const [before, owed] = [await counted(REFUSED_BY_TREASURY), await unclaimed(wallet)];
        const ask = () => initiate(scene, wallet, { claimType: 'SOL', ...claim });
        let refused = await ask();
        // On a busy machine the service may have to wait too long, and asks to try again.
        await eventually(
          async () => refused.status !== 503 || (refused = await ask()).status !== 503,
          () => `a refusal, not ${refused.text}`,
        );
        expect([refused.status, refused.body['code']]).to.deep.equal(answer);
        if (typeof says === 'string') expect(refused.body['message']).to.equal(says);
        else expect(refused.body['message']).to.match(says);
        expect(await unclaimed(wallet)).to.deep.equal(owed);
        expect(await counted(REFUSED_BY_TREASURY)).to.equal(before + (isCounted ? 1 : 0));
        if (!name.startsWith('for a day')) return;
        // Only this wallet, or this way of paying, and until the next day.
        expect((await claimSol(await rewarded('SOL', SOL))).status).to.equal(200);
        const others = like(claimsTable.signature, 'other %');
        await scene.database.queries
          .update(claimsTable)
          .set({ createdAt: ago(DAY_MS) })
          .where(others);
        expect((await ask()).status).to.equal(200);
        await scene.database.queries.delete(claimsTable).where(others);
      });

    it('if the service has no treasury', async () => {
      const wallet = await rewarded('SOL', SOL);
      const { context } = scene.service;
      const config = { ...context.config, treasury: undefined };
      const closed = new Claims(
        { ...context, config, metrics: createMetrics({ ofProcess: false }) },
        new ClaimsRepository(scene.database),
      );
      expect((await rejection(closed.initiate(requestOf(wallet)), ClaimRefusedError)).refusal).to.equal(
        'unavailable',
      );
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
    });
  });

  it('go to an account that the wallet has opened again itself, and a burn needs none', async () => {
    const wallet = await rewarded('TOKEN', TOKENS);
    await completed(await submit(await claimTokens(wallet), wallet));
    await closeAccount(wallet);
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
    await openTokenAccount(cluster(), wallet.publicKey, scene.token.mint);
    await completed(await submit(await claimTokens(wallet), wallet));
    await closeAccount(wallet);
    await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
    await submit(await claimTokens(wallet, true), wallet);
  });

  it('return one transaction and 59 refusals for 60 concurrent requests, of either asset', async () => {
    for (const asset of ['SOL', 'TOKEN'] as const) {
      const wallet = await rewarded(asset, SOL);
      await reward(scene.database, wallet.publicKey, scene.mint, asset === 'SOL' ? 'TOKEN' : 'SOL', SOL);
      const claim = (index: number) => (index % 4 === 0 ? claimTokens(wallet) : claimSol(wallet));
      const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => claim(index)));
      const said = answers.map(({ status, body }) => `${status} ${String(body['code'] ?? 'paid')}`).sort();
      expect(said).to.deep.equal(['200 paid', ...Array<string>(59).fill('409 CLAIM_IN_PROGRESS')]);
      const { sol, token } = await unclaimed(wallet);
      expect(sol + token).to.equal(SOL);
    }
  });

  const requestOf = (wallet: Keypair) => ({
    ...{ wallet: nameOf(wallet), mint: scene.mint, asset: 'SOL' as const },
    ...{ burn: false, idempotencyKey: undefined },
  });

  describe('that cannot be stored at once', () => {
    /** The service's claims, with something before each is stored. @param before gets the try, from 1; returns why it is not stored */
    function claimsWith(
      before: (tries: number, amount: bigint) => NotStored | undefined | Promise<NotStored | undefined>,
    ) {
      const real = new ClaimsRepository(scene.database);
      let tries = 0;
      const claims = new Claims(
        { ...scene.service.context, metrics: createMetrics({ ofProcess: false }) },
        {
          database: scene.database,
          duties: (mint) => real.duties(mint),
          store: async (claim, answer, funds) =>
            (await before((tries += 1), claim.amount)) ?? real.store(claim, answer, funds),
        },
      );
      return { claim: (wallet: Keypair) => claims.initiate(requestOf(wallet)), tries: () => tries };
    }
    const IN_PROGRESS = 'A claim for this token is in progress already';

    before('no claim is in progress', async () => {
      const repository = new ClaimsRepository(scene.database);
      const expired = { now: new Date(), landed: null };
      for (const { signature } of await repository.open(1_000))
        await repository.end(signature, 'EXPIRED', null, expired);
    });

    for (const [notStored, tries, refusal, says] of [
      ['in progress', 1, 'in progress', IN_PROGRESS],
      ['key taken', 1, 'in progress', IN_PROGRESS],
      ['held: for the operator', 1, 'unavailable', 'Claims are closed for now; try again in a minute'],
      ['short of SOL', 2, 'later', 'The treasury is short of SOL at the moment; try again later'],
    ] as const satisfies readonly (readonly [NotStored, number, ClaimRefusal, string])[])
      it(`are tried ${tries === 1 ? 'once' : 'once more with new balances'} when the reason is '${notStored}'`, async () => {
        const refused = claimsWith(() => notStored);
        const error = await rejection(refused.claim(await rewarded('SOL', SOL)), ClaimRefusedError);
        expect([refused.tries(), error.refusal, error.message]).to.deep.equal([tries, refusal, says]);
      });

    it('are tried five times while rewards arrive, with the new amount each time', async () => {
      for (const changes of [ATTEMPTS - 1, ATTEMPTS]) {
        const wallet = await rewarded('SOL', SOL);
        const amounts: bigint[] = [];
        const { claim } = claimsWith(async (attempt, amount) => {
          amounts.push(amount);
          if (attempt <= changes) await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 1n);
          return undefined;
        });
        if (changes < ATTEMPTS) expect(await claim(wallet)).to.be.a('string');
        else
          expect(await rejection(claim(wallet), ClaimRefusedError)).to.include({
            ...{ refusal: 'unavailable', message: 'The rewards are changing right now; try again' },
          });
        expect(amounts).to.deep.equal(Array.from({ length: ATTEMPTS }, (_, extra) => SOL + BigInt(extra)));
      }
    });

    it('because the treasury seems short are tried for three seconds while another claim is in progress', async () => {
      await claimSol(await rewarded('SOL', SOL));
      const covered = claimsWith((attempt) => (attempt < 5 ? 'short of SOL' : undefined));
      expect(await covered.claim(await rewarded('SOL', SOL))).to.be.a('string');
      const refused = claimsWith(() => 'short of SOL');
      const [wallet, since] = [await rewarded('SOL', SOL), performance.now()];
      expect((await rejection(refused.claim(wallet), ClaimRefusedError)).refusal).to.equal('later');
      expect(performance.now() - since).to.be.within(3_000, 30_000);
      // With pauses, in which a payment can end.
      expect(refused.tries()).to.be.within(3, 11);
    });
  });

  describe('with an Idempotency-Key', () => {
    const claimWith = (wallet: Keypair, key: string, body: Record<string, unknown> = {}) =>
      initiate(scene, wallet, { claimType: 'SOL', ...body }, { 'Idempotency-Key': key });

    it('get the same answer again, also at once, and each wallet its own', async () => {
      const [wallet, other] = [await rewarded('SOL', SOL), await rewarded('SOL', SOL)];
      const answers = await Promise.all(Array.from({ length: 20 }, () => claimWith(wallet, 'key')));
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(transactionOf(answers[0]!).signatures).to.have.lengthOf(2);
      expect((await claimWith(wallet, 'another-key')).status).to.equal(409);
      const reused = await claimWith(wallet, 'key', { claimType: 'TOKEN' });
      expect([reused.status, reused.body['code']]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect((await claimWith(other, 'key')).text).not.to.equal(answers[0]!.text);
    });

    it('get a final refusal again, even after a reward has arrived, until the key is 24 hours old', async () => {
      const wallet = Keypair.generate();
      const early = await claimWith(wallet, 'old');
      expect([early.status, early.body['code']]).to.deep.equal(CLAIM_ERROR);
      await reward(scene.database, wallet.publicKey, scene.mint, 'TOKEN', TOKENS);
      const ofWallet = sql`wallet = ${nameOf(wallet)}`;
      const [kept] = await scene.database.queries.select().from(idempotencyKeys).where(ofWallet);
      expect(kept!.expiresAt.getTime() - ago(0).getTime()).to.be.within(DAY_MS - 60_000, DAY_MS);
      const age = (expiresAt: Date) =>
        scene.database.queries.update(idempotencyKeys).set({ expiresAt }).where(ofWallet);
      await age(ago(-30_000));
      expect((await claimWith(wallet, 'old')).text).to.equal(early.text);
      expect((await claimWith(wallet, 'old', { claimType: 'TOKEN' })).status).to.equal(422);
      await age(ago(0));
      const anew = await claimWith(wallet, 'old', { claimType: 'TOKEN' });
      expect(anew.status).to.equal(200);
      expect((await claimWith(wallet, 'old', { claimType: 'TOKEN' })).text).to.equal(anew.text);
      expect((await claimWith(wallet, 'old')).status).to.equal(422);
    });

    it('get a refusal that can pass only once', async () => {
      const wallet = Keypair.generate();
      await creditReferral(wallet);
      expect((await claimWith(wallet, 'patient')).status).to.equal(400);
      await inDatabase(sql`select treasury_fund('late', ${String(2n * SOL)}::numeric, 1)`);
      const paid = await claimWith(wallet, 'patient');
      const signature = bs58.encode(transactionOf(paid).signatures[0]!);
      expect(await submit(paid, wallet)).to.equal(signature);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
    });

    it('are refused if the key is not 1 to 255 visible ASCII characters', async () => {
      const wallet = Keypair.generate();
      for (const key of ['!', '~', 'a'.repeat(255), '0a-B_c.9'])
        expect((await claimWith(wallet, key)).body['code'], key).to.equal('CLAIM_ERROR');
      for (const key of ['', 'a b', 'x'.repeat(256)]) {
        const answer = await claimWith(wallet, key);
        expect([answer.status, fieldsOf(answer)], key).to.deep.equal([400, ['idempotency-key']]);
      }
    });
  });
});
