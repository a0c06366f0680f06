// Fees in the treasury back referral rewards up to what partners are owed. The rest is free for other claims and the operator.
// threat: withdrawn-fees, arriving-fees
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { readClaimable } from '#app/claims/claimable.js';
import { ClaimsRepository, type Funds, type NewClaim } from '#app/claims/repository.js';
import { statement } from '#app/db/database.js';
import { treasury } from '#app/db/schema/index.js';
import { bookFunding } from '#app/graduation/funding/fund-referrals.js';
import { readFees } from '#app/claims/cover.js';
import type { Asset, SourceKind } from '#app/ledger/accounts.js';
import { checkLedger } from '#app/ledger/check.js';
import { creditsOwed } from '#app/ledger/functions.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { creditOf, newClaim } from '#tests/database/ledger.js';
import { ledgerProblems } from '#tests/service/rewards.js';

const MINT = 'mint';
const PLENTY = 10n ** 15n;
const COSTS = 2_049_280n;

describe(`the cover of referral rewards (${DATABASE_KIND})`, () => {
  const database = useDatabase({ each: true, paymentsOpen: true });
  let repository: ClaimsRepository;
  let keys = 0;
  /** The newest slot. Each transfer of fees has its own. */
  let slot = 0;
  beforeEach(() => (repository = new ClaimsRepository(database)));
  afterEach(async () => {
    expect(await ledgerProblems(database)).to.deep.equal([]);
    expect(await checkLedger(database.queries, { whole: false })).to.deep.equal([]);
  });

  const owe = (wallet: string, amount: bigint, origin: SourceKind = 'referral', asset: Asset = 'SOL') =>
    creditOf(database, { wallet, mint: MINT, asset, amount }, origin);
  const fund = (amount: bigint, at = (slot += 1)) =>
    database.transaction((tx) => bookFunding(tx, { signature: `fees ${(keys += 1)}`, amount, slot: at }));
  const claimOf = (wallet: string, amount: bigint, more: Partial<NewClaim> = {}) =>
    newClaim({ wallet, mint: MINT, asset: 'SOL', amount, ...more });
  const ofPartner = (wallet: string, amount: bigint) => claimOf(wallet, amount, { referral: amount });
  const ofTokens = (wallet: string, amount: bigint) =>
    claimOf(wallet, amount, { asset: 'TOKEN', rent: COSTS });
  const funds = (lamports: bigint): Funds => ({ treasury: 'treasury', slot, lamports, tokens: PLENTY });
  const end = (signature: string, state: 'COMPLETED' | 'EXPIRED') =>
    repository.end(signature, state, null, { now: new Date(), landed: state === 'COMPLETED' ? slot : null });
  const covers = async () => {
    const [sol] = await database.queries.select().from(treasury).where(eq(treasury.asset, 'SOL'));
    return { referral: sol!.referralCover, volume: sol!.volumeCover };
  };
  const cover = async () => (await covers()).referral;
  const owed = async (origin = 'referral') => {
    const [row] = await statement<{ owed: string }>(database.queries)`
      select ${creditsOwed({ origin })}::text as owed`;
    return BigInt(row!.owed);
  };
  /** As the funding job does when no fees come. */
  const coverFrom = async (lamports: bigint, at = slot) => {
    const [row] = await statement<{ covered: string }>(database.queries)`
      select treasury_cover(${String(lamports)}::numeric, ${at}::bigint)::text as covered`;
    return BigInt(row!.covered);
  };

  it('is never more than partners are owed: fees beyond that block no claim when they are withdrawn', async () => {
    await owe('holder', 100n, 'settlement');
    await owe('token holder', 7n, 'settlement', 'TOKEN');
    await owe('partner', 30n);
    await fund(20_000n);
    expect(await cover()).to.equal(30n);
    const left = 130n + COSTS;
    expect(await repository.store(ofTokens('token holder', 7n), undefined, funds(left - 1n))).to.equal(
      'short of SOL for the network',
    );
    for (const claim of [ofTokens('token holder', 7n), claimOf('holder', 100n), ofPartner('partner', 30n)]) {
      expect(await repository.store(claim, undefined, funds(left))).to.equal(undefined);
      expect(await end(claim.signature, 'COMPLETED')).to.equal(true);
    }
    expect(await cover()).to.equal(0n);
  });

  it('is divided between partners and creators, partners first, and none takes what the other one is owed', async () => {
    await owe('partner', 30n);
    await owe('creator', 50n, 'volume');
    await fund(20n);
    expect(await covers()).to.deep.equal({ referral: 20n, volume: 0n });
    const ofCreator = claimOf('creator', 50n, { volume: 50n });
    expect(await repository.store(ofCreator, undefined, funds(PLENTY))).to.equal('referral not funded');
    await fund(60n);
    expect(await covers()).to.deep.equal({ referral: 30n, volume: 50n });
    // Each lamport is there for one of them.
    expect(await repository.store(ofCreator, undefined, funds(79n))).to.equal('short of SOL');
    expect(await repository.store(ofCreator, undefined, funds(80n))).to.equal(undefined);
    await end(ofCreator.signature, 'COMPLETED');
    expect(await covers()).to.deep.equal({ referral: 30n, volume: 0n });
    expect(await repository.store(ofPartner('partner', 30n), undefined, funds(30n))).to.equal(undefined);
  });

  it('takes from the surplus only lamports that are owed to nobody, and no more than came as fees', async () => {
    await fund(250n);
    await owe('holder', 100n, 'settlement');
    await owe('token holder', 7n, 'settlement', 'TOKEN');
    await owe('partner', 300n);
    const tokens = ofTokens('token holder', 7n);
    expect(await repository.store(tokens, undefined, funds(PLENTY))).to.equal(undefined);
    const others = 100n + COSTS;
    expect(await coverFrom(others)).to.equal(0n);
    expect(await coverFrom(others + 40n)).to.equal(40n);
    expect(await coverFrom(others + 40n)).to.equal(0n);
    expect(await coverFrom(PLENTY)).to.equal(210n);
    expect(await coverFrom(PLENTY)).to.equal(0n);
    expect(await readFees(database.queries)).to.deep.equal({ unfunded: 50n, surplus: 0n });
  });

  it('is funded again when a claim that was given up is found paid, and reserves nothing meanwhile', async () => {
    await owe('partner', 300n);
    await owe('another', 300n);
    await fund(300n);
    const [lost, paid] = [ofPartner('partner', 300n), ofPartner('another', 300n)];
    expect(await repository.store(lost, undefined, funds(300n))).to.equal(undefined);
    await end(lost.signature, 'EXPIRED');
    expect(await repository.store(paid, undefined, funds(300n))).to.equal(undefined);
    await end(paid.signature, 'COMPLETED');
    await repository.correct(lost.signature, { now: new Date(), landed: 1 });
    // 600 lamports were paid and 300 came.
    expect(await readFees(database.queries)).to.deep.equal({ unfunded: 300n, surplus: 0n });
    await owe('holder', 100n, 'settlement');
    const holder = claimOf('holder', 100n);
    expect(await repository.store(holder, undefined, funds(99n))).to.equal('short of SOL');
    expect(await repository.store(holder, undefined, funds(100n))).to.equal(undefined);
    await end(holder.signature, 'COMPLETED');
    await fund(300n);
    expect(await readFees(database.queries)).to.deep.equal({ unfunded: 0n, surplus: 0n });
  });

  it('does not count fees that a claim may have used between their arrival and their booking', async () => {
    await owe('token holder', 7n, 'settlement', 'TOKEN');
    await owe('holder', 100n, 'settlement');
    await owe('partner', 3n * COSTS);
    const claim = ofTokens('token holder', 7n);
    // The fees are in this balance and are not booked.
    const arrived = (slot += 1);
    expect(await repository.store(claim, undefined, funds(100n + 3n * COSTS))).to.equal(undefined);
    await fund(3n * COSTS, arrived);
    expect(await readFees(database.queries)).to.deep.equal({ unfunded: 3n * COSTS, surplus: 3n * COSTS });
    await end(claim.signature, 'COMPLETED');
    expect(await coverFrom(100n + 2n * COSTS)).to.equal(2n * COSTS);
    // The partner waits for the rest, and the holder for nothing.
    expect(await repository.store(claimOf('holder', 100n), undefined, funds(100n + 2n * COSTS))).to.equal(
      undefined,
    );
    await fund(COSTS);
    expect(await readFees(database.queries)).to.deep.equal({ unfunded: 0n, surplus: COSTS });
    const left = funds(100n + 3n * COSTS);
    expect(await repository.store(ofPartner('partner', 3n * COSTS), undefined, left)).to.equal(undefined);
  });

  it('counts fees once that are in the balance of the surplus and booked afterwards', async () => {
    await fund(20_000n);
    await owe('partner', 1_000n);
    // The surplus was withdrawn; 500 lamports of new fees are in this balance and are not booked.
    const arrived = (slot += 1);
    expect(await coverFrom(500n)).to.equal(500n);
    await fund(500n, arrived);
    expect(await cover()).to.equal(500n);
    expect(await coverFrom(500n)).to.equal(0n);
    await fund(500n);
    expect(await cover()).to.equal(1_000n);
  });

  it('stays within what is owed and what came, after every step of every history', async () => {
    const amount = fc.bigInt(1n, 1_000n);
    const what = fc.constantFrom('owe', 'fund', 'cover', 'claim', 'pay', 'expire', 'correct');
    const origins = ['referral', 'volume'] as const;
    const step = fc.record({ do: what, amount, origin: fc.constantFrom(...origins) });
    const partner = 'partner';
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (history) => {
        let [open, expired]: (NewClaim | undefined)[] = [];
        for (const { do: what, amount: lamports, origin } of history) {
          const [before, surplus] = [await covers(), (await readFees(database.queries)).surplus];
          if (what === 'owe') await owe(partner, lamports, origin);
          if (what === 'fund') await fund(lamports);
          if (what === 'cover') expect((await coverFrom(lamports)) <= surplus).to.equal(true);
          if (what === 'claim' && open === undefined) {
            const { amounts, cover: left } = await readClaimable(
              ...([database.queries, partner, MINT, 'SOL', new Date()] as const),
            );
            const { referral, volume } = amounts;
            const claim = claimOf(partner, referral + volume, { referral, volume });
            const refused = await repository.store(claim, undefined);
            const isCovered = origins.every((each) => amounts[each] === 0n || amounts[each] <= left[each]);
            const expected = isCovered ? undefined : 'referral not funded';
            expect(refused).to.equal(referral + volume === 0n ? 'other amount' : expected);
            if (refused === undefined) open = claim;
          }
          if ((what === 'pay' || what === 'expire') && open !== undefined) {
            await end(open.signature, what === 'pay' ? 'COMPLETED' : 'EXPIRED');
            if (what === 'expire') {
              expect(await covers()).to.deep.equal(before);
              expired = open;
            }
            open = undefined;
          }
          if (what === 'correct' && expired !== undefined && open === undefined) {
            const late = expired;
            expired = undefined;
            // Refused when the amount has been claimed since.
            await repository.correct(late.signature, { now: new Date(), landed: 1 }).catch(() => undefined);
          }
          const now = await covers();
          for (const each of origins) expect(now[each] <= (await owed(each)), what).to.equal(true);
          expect((await readFees(database.queries)).surplus >= 0n, what).to.equal(true);
        }
        if (open !== undefined) await end(open.signature, 'COMPLETED');
        expect(await ledgerProblems(database)).to.deep.equal([]);
      }),
      { numRuns: Number(process.env['COVER_RUNS'] ?? 20) },
    );
  });

  it('stays within what is owed when fees, rewards and payments are booked at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const partners = Array.from({ length: 6 }, (_, index) => `partner ${round} ${index}`);
      for (const partner of partners) await owe(partner, 100n);
      await fund(600n);
      const claims = partners.map((partner) => ofPartner(partner, 100n));
      for (const claim of claims) expect(await repository.store(claim, undefined)).to.equal(undefined);
      await Promise.all([
        ...claims.map(({ signature }) => end(signature, 'COMPLETED')),
        ...[70n, 170n, 270n].map((amount) => fund(amount)),
        ...[30n, 40n].map((amount, index) => owe(`late ${round} ${index}`, amount)),
        ...[1, 2].map(() => coverFrom(PLENTY)),
      ]);
      expect((await cover()) <= (await owed())).to.equal(true);
    }
    await coverFrom(PLENTY);
    expect(await cover()).to.equal(await owed());
  });
});
