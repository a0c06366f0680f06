// Claims in the database: what a new claim reserves, what moves when it ends, and which claims are refused.
// threat: mixed-cover, counted-twice, spent-by-claims
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { DeposedError, statement } from '#app/db/database.js';
import { insertRecoveredSettlement } from '#tests/database/open-settlement.js';
import type { Asset, SourceKind } from '#app/ledger/accounts.js';
import { IdempotencyKeys } from '#app/claims/idempotency-keys.js';
import { createMetrics } from '#app/base/metrics.js';
import { createClaimMetrics } from '#app/claims/reconciler.js';
import { ClaimsRepository, type ClaimEnd, type Funds, type NewClaim } from '#app/claims/repository.js';
import { owedByTreasury } from '#app/claims/cover.js';
import { DATABASE_KIND, openTestDatabase, useDatabase, openPaymentsGate } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { creditOf, newClaim } from '#tests/database/ledger.js';
import { ACCOUNT_RENT, NETWORK_FEE } from '#tests/service/claims.js';
import { ledgerProblems } from '#tests/service/rewards.js';

const TOKENS = 1_234_567n;

describe(`claims in the database (${DATABASE_KIND})`, () => {
  const MINT = 'mint';
  const database = useDatabase({ each: true, paymentsOpen: true });
  let repository: ClaimsRepository;
  beforeEach(() => (repository = new ClaimsRepository(database)));
  afterEach(async () => {
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  const claimOf = (wallet: string, more: Partial<NewClaim> = {}): NewClaim =>
    newClaim({
      ...{ signature: `claim of ${wallet}`, wallet, mint: MINT, asset: 'TOKEN', amount: TOKENS },
      ...{ networkFee: NETWORK_FEE, opensAccount: true, rent: ACCOUNT_RENT, ...more },
    });
  async function creditWallets(
    wallets: readonly string[],
    asset: Asset = 'TOKEN',
    origin: SourceKind = 'settlement',
  ): Promise<void> {
    for (const wallet of wallets)
      await creditOf(database, { wallet, mint: MINT, asset, amount: TOKENS }, origin);
  }
  const ofSol = (wallet: string, referral = 0n): NewClaim =>
    claimOf(wallet, { asset: 'SOL', amount: TOKENS, referral, opensAccount: false, rent: 0n });
  /** Funds that cover every claim. */
  const rich: Funds = { treasury: 'treasury', slot: 1, lamports: 10n ** 15n, tokens: 10n ** 15n };
  const COSTS = NETWORK_FEE + ACCOUNT_RENT;
  const end = (wallet: string, state: ClaimEnd, landed: number | null) =>
    repository.end(`claim of ${wallet}`, state, null, { now: new Date(), landed });
  const fund = (amount: bigint, signature = 'funding', slot = 1) =>
    database.queries.execute(sql`select treasury_fund(${signature}, ${String(amount)}::numeric, ${slot})`);

  it('are not stored while the payments gate is closed, and leave no row', async () => {
    await creditWallets(['wallet']);
    await database.queries.execute(sql`update payments_gate set held = 'a payment is unknown'`);
    expect(await repository.store(claimOf('wallet'), undefined, rich)).to.equal('held: a payment is unknown');
    expect(await repository.find('claim of wallet')).to.equal(undefined);
    await openPaymentsGate(database);
    await database.queries.execute(sql`update payments_gate set incarnation = 'the database before'`);
    expect(await repository.store(claimOf('wallet'), undefined, rich)).to.match(/^held: closed until/);
    await openPaymentsGate(database);
    expect(await repository.store(claimOf('wallet'), undefined, rich)).to.equal(undefined);
  });

  it('claims whose storing fails for another reason than a refusal are not taken for stored', async () => {
    await creditWallets(['wallet']);
    const broken = claimOf('wallet', { transaction: null as unknown as string });
    await rejection(repository.store(broken, undefined, rich), Error);
    expect(await repository.find('claim of wallet')).to.equal(undefined);
    expect((await repository.duties(MINT)).isPaying).to.equal(false);
  });

  it('are not checked against a balance that is older than the last payment', async () => {
    await creditWallets(['paid', 'next']);
    expect(await repository.store(claimOf('paid'), undefined, rich)).to.equal(undefined);
    expect(await end('paid', 'COMPLETED', 7)).to.equal(true);
    for (const [slot, expected] of [
      [6, 'stale balance'],
      [7, undefined],
    ] as const) {
      // The paid amount is neither in this balance nor reserved any more, so the rest is free at once.
      const funds = { ...rich, slot, tokens: TOKENS, lamports: COSTS };
      expect(await repository.store(claimOf('next'), undefined, funds)).to.equal(expected);
    }
    expect((await repository.duties(MINT)).settledSlot).to.equal(7);
  });

  it('count what unfinished settlements will still credit as owed, once their lamports can be in the balance', async () => {
    const owed = (slot: number) => owedByTreasury(database.queries, slot);
    await creditWallets(['wallet'], 'SOL');
    expect(await owed(9)).to.equal(TOKENS);
    const inserted = await statement<{ id: string }>(database.queries)`
      insert into settlements (mint, creator, state, sol, sol_holders, sol_lp, sol_creator, sol_creator_credited)
      values ('mint 1', 'creator', 'planned', 100, 70, 10, 20, 5), ('mint 2', 'creator', 'failed', 9, 9, 0, 0, 0)
      returning id::text as id`;
    const subject = `settlement:${inserted[0]!.id}`;
    const sign = (state: string, slot: number) =>
      database.queries.execute(sql`
        insert into authority_transactions (signature, subject, transaction, blockhash_slot, last_valid_block_height, state)
        values (${state}, ${subject}, '', ${slot}, 150, ${state})`);
    expect(await owed(9)).to.equal(TOKENS);
    // A failed transaction has paid nothing.
    await sign('failed', 3);
    expect(await owed(9)).to.equal(TOKENS);
    // A transaction lands after the slot of its blockhash.
    await sign('signed', 7);
    expect(await owed(6)).to.equal(TOKENS);
    expect(await owed(7)).to.equal(TOKENS + 75n);
    const lamports = TOKENS + 75n + COSTS;
    const claim = { ...claimOf('holder'), networkFee: COSTS, rent: 0n };
    await creditWallets(['holder']);
    for (const [slot, more, expected] of [
      [7, -1n, 'short of SOL for the network'],
      [6, -76n, 'short of SOL for the network'],
      [6, -75n, undefined],
    ] as const) {
      const funds = { ...rich, slot, lamports: lamports + more };
      expect(await repository.store(claim, undefined, funds), `slot ${slot}`).to.equal(expected);
    }
    await statement(database.queries)`
      update settlements set state = 'paid', signature = 'signed' where state = 'planned'`;
    expect(await owed(0)).to.equal(TOKENS + 75n);
    // This settlement was recovered from the chain and is done; a part of the holders' share is still to be credited.
    const left = { sol: 30n, token: 7n };
    await insertRecoveredSettlement(database.queries, 'mint 3', { sol: 50n, token: 7n }, left);
    expect(await owed(9)).to.equal(TOKENS + 105n);
  });

  it('claims of referral rewards are paid only from the fees moved for them, each lamport once', async () => {
    await creditWallets(['partner', 'other'], 'SOL', 'referral');
    expect(await repository.store(ofSol('partner', TOKENS), undefined, rich)).to.equal('referral not funded');
    await fund(TOKENS + 1n);
    await fund(TOKENS + 1n);
    expect(await repository.store(ofSol('partner', TOKENS), undefined, rich)).to.equal(undefined);
    expect(await repository.store(ofSol('other', TOKENS), undefined, rich)).to.equal('referral not funded');
    expect(await end('partner', 'COMPLETED', 1)).to.equal(true);
    expect(await repository.store(ofSol('other', TOKENS), undefined, rich)).to.equal('referral not funded');
    await fund(TOKENS - 1n, 'another');
    expect(await repository.store(ofSol('other', TOKENS), undefined, rich)).to.equal(undefined);
  });

  it('claims of one kind of reward never spend what is owed for the other kind', async () => {
    await creditWallets(['holder'], 'SOL');
    await creditWallets(['partner'], 'SOL', 'referral');
    await fund(TOKENS);
    const short = { ...rich, lamports: 2n * TOKENS - 1n };
    expect(await repository.store(ofSol('holder'), undefined, short)).to.equal('short of SOL');
    expect(await repository.store(ofSol('partner', TOKENS), undefined, short)).to.equal('short of SOL');
    const enough = { ...short, lamports: 2n * TOKENS };
    expect(await repository.store(ofSol('holder'), undefined, enough)).to.equal(undefined);
    expect(await repository.store(ofSol('partner', TOKENS), undefined, enough)).to.equal(undefined);
  });

  it('are ended by a leader only while it holds the lease', async () => {
    await creditWallets(['wallet']);
    expect(await repository.store(claimOf('wallet'), undefined, rich)).to.equal(undefined);
    const lease = (await database.tryLead('test'))!;
    const leading = new ClaimsRepository(database.on('jobs', lease));
    const deposed = new ClaimsRepository(database.on('jobs', { name: 'test', token: lease.token - 1n }));
    const ending = { now: new Date(), landed: 1 };
    const late = deposed.end('claim of wallet', 'COMPLETED', null, ending);
    // On PostgreSQL the statement changes nothing; elsewhere the transaction rolls back.
    if (DATABASE_KIND === 'postgres') expect(await late).to.equal(false);
    else await rejection(late, DeposedError);
    expect((await repository.find('claim of wallet'))?.state).to.equal('IN_PROGRESS');
    expect(await leading.end('claim of wallet', 'COMPLETED', null, ending)).to.equal(true);
    await lease.release();
  });

  it('are counted while they are in progress, in a metric that is no number while the database does not answer', async () => {
    const metrics = createMetrics({ ofProcess: false });
    createClaimMetrics({ metrics, database });
    const counted = async () => {
      const [gauge] = (await metrics.registry.getMetricsAsJSON()).filter(
        ({ name }) => name === 'curvekit_claims_open',
      );
      return (gauge!.values as readonly { readonly value: number }[])[0]!.value;
    };
    expect(await counted()).to.equal(0);
    await creditWallets(['one', 'two']);
    for (const wallet of ['one', 'two'])
      expect(await repository.store(claimOf(wallet), undefined, rich)).to.equal(undefined);
    expect(await counted()).to.equal(2);
    expect(await end('one', 'COMPLETED', 1)).to.equal(true);
    expect(await counted()).to.equal(1);
    const closed = await openTestDatabase();
    await closed.close();
    const ofNone = createMetrics({ ofProcess: false });
    createClaimMetrics({ metrics: ofNone, database: closed });
    expect(await ofNone.registry.metrics()).to.match(/^curvekit_claims_open Nan$/m);
  });

  it('answers under idempotency keys are deleted when they have expired, and not before', async () => {
    const keys = new IdempotencyKeys(database);
    const now = new Date('2026-01-02T00:00:00Z');
    const later = (ms: number) => new Date(now.getTime() + ms);
    for (const [wallet, ms] of [
      ['early', 100],
      ['late', 101],
    ] as const)
      await keys.store(wallet, { key: 'key', requestHash: '', body: wallet, now, expiresAt: later(ms) });
    await keys.deleteExpired(later(101));
    // Read as of a time when none of them had expired.
    expect(await keys.find('early', 'key', now)).to.equal(undefined);
    expect((await keys.find('late', 'key', now))?.body).to.equal('late');
  });
});
