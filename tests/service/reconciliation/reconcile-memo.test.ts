// Settlements that a lost database made, with a memo and without one: how they are divided, and what holds payments. threat: forged-memo
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { walletBalances } from '#app/ledger/balances.js';
import { checkLedger } from '#app/ledger/check.js';
import { recoveredWithRest } from '#app/reconciliation/recovered.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { memoInstruction, MEMO_PROGRAM_ADDRESS } from '#app/graduation/settlement/payment/memo.js';
import { settlementInstructions } from '#app/graduation/settlement/payment/transaction.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { openTestDatabase } from '#tests/database/database.js';
import { donateSol, launch, type Token } from '#tests/program/tokens.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
} from '#tests/service/service-context.js';
import { settledAs } from '#tests/service/settlement-payments.js';

const GIVEN = 4_000_000n;
const TERMS = { afterMigrationHoldersBp: 5_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 };
const SHARES = { burnBps: 0, holdersBps: 5_000, lpBps: 0 };
const ID = 17;
/** These two pay the same. */
const WITHOUT_HOLDERS = settledAs({ sol: GIVEN, units: 0n, hasHolders: false, isCredited: true }, SHARES);
const WITH_HOLDERS = settledAs({ sol: GIVEN, units: 0n, hasHolders: true, isCredited: true }, SHARES);

describe('a lost settlement', function () {
  this.timeout(120_000);
  const cluster = useCluster();
  const treasury = Keypair.generate();
  let database: Database;
  let context: Context;
  let creator: Keypair;
  let token: Token;

  before(async () => {
    database = await openTestDatabase();
    const environment = {
      ...clusterEnvironment(cluster()),
      TREASURY_KEYPAIR: keyVariable(treasury),
      SETTLEMENT_INTERVAL_SECONDS: '1',
    };
    context = await contextFrom(environment, database);
    await watchOwnKeys(context);
    await cluster().fund(cluster().dexOwner.publicKey, 1_000_000_000n);
  });
  beforeEach(async () => {
    creator = await cluster().fundedWallet();
    token = await launch(cluster(), TERMS, creator);
    await indexCreation(database, token);
    await database.queries.execute(
      sql`insert into indexer_state (id, program_id, first_slot, scanned_slot, listed)
          values (1, ${cluster().programId.toBase58()}, ${token.created.slot}, 999999999, true) on conflict do nothing`,
    );
    await donateSol(cluster(), token, GIVEN);
  });
  after(() => database?.close());

  async function pay(...memos: TransactionInstruction[]): Promise<void> {
    const { dexOwner, connection } = cluster();
    const unwrapping = Keypair.generate();
    const payments = settlementInstructions({
      mint: token.mint,
      dexOwner: dexOwner.publicKey,
      wsolStorage: token.communityWsolStorage.address,
      tokenStorage: token.communityTokenStorage.address,
      treasury: treasury.publicKey,
      lp: null,
      creator: creator.publicKey,
      opensCreatorAccount: false,
      ...WITHOUT_HOLDERS.amounts,
      unwrapping: unwrapping.publicKey,
      tokenAccountRent: await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE),
    });
    await cluster().send([...memos, ...payments], [dexOwner, unwrapping]);
  }
  const named = (of: typeof WITH_HOLDERS) => memoInstruction({ id: ID, ...of.division });
  const pass = async (options = {}) =>
    (await new Reconciliation(context).pass(NEVER_ABORTED, options)).booked;
  const result = async () => ({
    creator: (await walletBalances(database.queries, creator.publicKey.toBase58()))[0]?.unclaimedSol ?? 0n,
    holders: (await recoveredWithRest(database.queries, token.mint.toBase58())).reduce(
      (sum, { solLeft }) => sum + solLeft,
      0n,
    ),
  });
  /** A settlement that the tables have planned, with the credit of its creator. */
  async function plan(): Promise<number> {
    const [mint, wallet] = [token.mint.toBase58(), creator.publicKey.toBase58()];
    const [row] = await rowsOf<{ id: number }>(
      database.queries,
      sql`insert into settlements (mint, creator, treasury, state, sol, sol_creator, sol_creator_credited)
          values (${mint}, ${wallet}, ${treasury.publicKey.toBase58()}, 'planned', ${GIVEN}, ${GIVEN}, ${GIVEN})
          returning id::integer as id`,
    );
    await database.queries.execute(
      sql`insert into settlement_credits (settlement_id, wallet, balance, sol, token)
          values (${row!.id}, ${wallet}, 0, ${GIVEN}, 0)`,
    );
    return row!.id;
  }

  afterEach(async () => {
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });

  it('with a memo is divided as it was: a credited creator gets what was not for holders', async () => {
    await pay(named(WITHOUT_HOLDERS));
    const [booked] = await pass();
    expect(booked!.detail).to.contain(`(${ID} in its memo)`);
    expect(await result()).to.deep.equal({ creator: GIVEN, holders: 0n });
  });

  it('with a memo of the other division that pays the same is divided as the memo says', async () => {
    await pay(named(WITH_HOLDERS));
    expect((await pass()).map(({ state }) => state)).to.deep.equal(['booked']);
    expect(await result()).to.deep.equal({ creator: GIVEN / 2n, holders: GIVEN / 2n });
  });

  it('without a memo is divided for the holders, as far as its amounts tell', async () => {
    await pay();
    const [booked] = await pass();
    expect(booked!.detail).not.to.contain('in its memo');
    expect(await result()).to.deep.equal({ creator: GIVEN / 2n, holders: GIVEN / 2n });
  });

  for (const [what, memo] of [
    ['with a memo', () => [named(WITHOUT_HOLDERS)]],
    ['without a memo', () => []],
  ] as const)
    it(`${what} ends the settlement that is planned with its parts`, async () => {
      const id = await plan();
      await pay(...memo());
      const [booked] = await pass();
      expect(booked!.detail).to.contain(`it ended the settlement ${id}`);
      expect(await result()).to.deep.equal({ creator: GIVEN, holders: 0n });
    });

  it('with a memo of another division does not end a settlement that pays the same', async () => {
    const id = await plan();
    await pay(named(WITH_HOLDERS));
    expect((await pass()).map(({ state }) => state)).to.deep.equal(['booked']);
    expect(await result()).to.deep.equal({ creator: GIVEN / 2n, holders: GIVEN / 2n });
    const [left] = await rowsOf(database.queries, sql`select state from settlements where id = ${id}`);
    expect(left).to.deep.equal({ state: 'planned' });
  });

  const text = (words: string) =>
    new TransactionInstruction({ programId: MEMO_PROGRAM_ADDRESS, keys: [], data: Buffer.from(words) });
  for (const [what, memos] of [
    [
      'a memo of amounts that it did not pay',
      () => [named(settledAs({ sol: GIVEN - 1n, units: 0n, hasHolders: true, isCredited: true }, SHARES))],
    ],
    ['a memo of another version', () => [text('curvekit settlement/2 17')]],
    ['two memos', () => [named(WITH_HOLDERS), named(WITHOUT_HOLDERS)]],
  ] as const)
    it(`with ${what} holds payments until an operator has looked`, async () => {
      await pay(...memos());
      expect((await pass()).map(({ state }) => state)).to.deep.equal(['open']);
      expect(await paymentsHeld(database.queries)).to.match(
        /its payments and its memo match no settlement of these amounts\. If a newer version/,
      );
      expect((await pass({ repair: true })).map(({ state }) => state)).to.deep.equal(['accepted']);
      expect(await paymentsHeld(database.queries)).to.equal(undefined);
      expect(await result()).to.deep.equal({ creator: 0n, holders: 0n });
    });
});
