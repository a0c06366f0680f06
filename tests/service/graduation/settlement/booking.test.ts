// The credits of a paid settlement: booked in batches of wallets, each credit once, also after an interruption, with pauses by the
// number of others' transactions.
import { expect } from 'chai';
import { storeSigned } from '#app/sending/repository.js';
import { owedByTreasury } from '#app/claims/cover.js';
import { statement, type Database, type Transaction } from '#app/db/database.js';
import { walletBalances } from '#app/ledger/balances.js';
import { checkLedger } from '#app/ledger/check.js';
import { credit } from '#app/ledger/credit.js';
import {
  bookCredits,
  bookCreditsAtOnce,
  BookingPace,
  markPaid,
} from '#app/graduation/settlement/credits/booking.js';
import { openSettlement, settlementOf, subjectOf } from '#app/graduation/settlement/repository.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { beginPeriod } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';
import { useStandingClock } from '#tests/mocha/standing-clock.js';

const HOLDERS = 250;
const SOL = 3n;
const TOKEN = 2n;
const ALL_SOL = BigInt(HOLDERS) * SOL;

describe(`credits of a paid settlement (${DATABASE_KIND})`, () => {
  const database = useDatabase({ paymentsOpen: true });
  let settlement: { readonly id: number; readonly mint: string };
  let settlements = 0;

  beforeEach('a planned settlement of many holders', async () => {
    settlement = await plan(`mint ${(settlements += 1)}`);
  });

  async function plan(mint: string) {
    const id = await beginPeriod(database, mint);
    await statement(database.queries)`
      insert into settlement_credits (settlement_id, wallet, balance, sol, token)
      select ${id}::bigint, 'wallet ' || lpad(i::text, 5, '0'), 1, ${SOL}::numeric, ${TOKEN}::numeric
      from generate_series(1, ${HOLDERS}::integer) i`;
    await statement(database.queries)`
      update settlements set state = 'planned', sol = ${ALL_SOL}::numeric, sol_holders = ${ALL_SOL}::numeric where id = ${id}`;
    await storeSigned(database.queries, {
      ...{ subject: subjectOf(id), signature: signatureOf(id), transaction: '' },
      ...{ blockhashSlot: 1, lastValidBlockHeight: 1 },
    });
    return { id, mint };
  }

  const signatureOf = (id: number) => `signature ${id}`;
  const pay = () => database.transaction((tx) => markPaid(tx, settlement.id, signatureOf(settlement.id)));
  const bookAll = () => bookCredits(database, settlement, { signal: NEVER_ABORTED });
  const walletOf = (index: number) => `wallet ${String(index).padStart(5, '0')}`;
  const owed = () => owedByTreasury(database.queries, 1);
  const balanceOf = async (index: number) =>
    (await walletBalances(database.queries, walletOf(index))).find(({ mint }) => mint === settlement.mint);

  async function credited(): Promise<number> {
    const [row] = await statement<{ wallets: number }>(database.queries)`
      select count(*)::integer as wallets from ledger_accounts
      where mint = ${settlement.mint} and asset = 'SOL' and kind = 'claimable' and balance = ${SOL}::numeric`;
    return row!.wallets;
  }

  async function requireAllCredited(): Promise<void> {
    expect(await settlementOf(database.queries, settlement.id)).to.include({
      ...{ state: 'done', signature: signatureOf(settlement.id), solCredited: ALL_SOL },
    });
    expect(await credited()).to.equal(HOLDERS);
    expect(await balanceOf(HOLDERS)).to.include({ unclaimedSol: SOL, unclaimedToken: TOKEN });
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  }

  it('resume after an interruption, and the treasury owes each lamport once at any time', async () => {
    const before = await owed();
    expect(await pay()).to.equal(true);
    expect(await pay()).to.equal(false);
    expect(await owed()).to.equal(before);
    for (const wallets of [100, 200]) {
      const dying = new AbortController();
      const died = await rejection(
        bookCredits(database, settlement, {
          signal: dying.signal,
          afterBatch: () => dying.abort(new Error('the process dies')),
        }),
        Error,
      );
      expect(died.message).to.equal('the process dies');
      expect(await credited()).to.equal(wallets);
      expect(await owed()).to.equal(before);
      // No other settlement of the token can begin meanwhile.
      expect((await openSettlement(database.queries, settlement.mint))?.state).to.equal('paid');
    }
    await bookAll();
    expect(await owed()).to.equal(before);
    await requireAllCredited();
  });

  for (const [how, book] of [
    ['by two concurrent processes', () => Promise.all([1, 2].map(bookAll))],
    ['in one transaction', () => database.transaction((tx) => bookCreditsAtOnce(tx, settlement))],
  ] as const)
    it(`are booked once ${how}`, async () => {
      await pay();
      await book();
      await requireAllCredited();
    });

  it("can be claimed while other wallets' credits are not booked yet", async () => {
    await pay();
    let seen = 0;
    await bookCredits(database, settlement, {
      signal: NEVER_ABORTED,
      afterBatch: async () => {
        seen += 1;
        expect(await balanceOf(1)).to.include({ unclaimedSol: SOL });
        // The booking holds no lock on them.
        await statement(database.queries)`
          select 1 from ledger_accounts where mint = ${settlement.mint} for update nowait`;
      },
    });
    expect(seen).to.equal(2);
  });

  // PGlite has one connection, so it has no lock waits.
  if (DATABASE_KIND === 'postgres')
    it('do not wait for referral rewards of the same wallets', async () => {
      const { mint } = settlement;
      const giveTo = (tx: Transaction, index: number, key: string) =>
        credit(tx, 'referral', {
          ...{ mint, asset: 'SOL', key: `${key} of ${walletOf(index)}` },
          credits: [{ wallet: walletOf(index), amount: 1n }],
        });
      for (const index of [1, HOLDERS]) await database.transaction((tx) => giveTo(tx, index, 'first'));
      await pay();
      await database.transaction(async (tx) => {
        await giveTo(tx, HOLDERS, 'second');
        // Rewards of the two origins have separate accounts, so neither posting locks what the other needs.
        await bookAll();
        await giveTo(tx, 1, 'second');
      });
      for (const index of [1, HOLDERS])
        expect(await balanceOf(index)).to.include({ unclaimedSol: SOL + 2n, unclaimedToken: TOKEN });
      expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
    });
});

const LOOK_EVERY_MS = 1_000;
const BATCH_MS = 50;

describe('the pace of a booking', () => {
  const clock = useStandingClock();
  let transactions: number | undefined;
  let looks: number;
  beforeEach(() => {
    [transactions, looks] = [5_000, 0];
  });

  function paceOn(kind: Database['kind']): BookingPace {
    const execute = () => {
      looks += 1;
      return Promise.resolve({
        rows: transactions === undefined ? [] : [{ transactions: `${transactions}` }],
      });
    };
    return new BookingPace({ kind, queries: { execute } as unknown as Database['queries'] }, LOOK_EVERY_MS);
  }

  /** After the batches that have no pause, and the first look. */
  async function begun(kind: Database['kind'] = 'postgres'): Promise<BookingPace> {
    const pace = paceOn(kind);
    for (let batch = 1; batch < 10; batch += 1) expect(await pace.after(BATCH_MS)).to.equal(0);
    expect(looks).to.equal(0);
    expect(await pace.after(BATCH_MS)).to.equal(100);
    return pace;
  }

  it('is slowest at first, and always in the embedded database', async () => {
    expect(paceOn('postgres').wallets).to.equal(100);
    const pace = await begun('pglite');
    clock.ms += 10 * LOOK_EVERY_MS;
    expect(await pace.after(BATCH_MS)).to.equal(100);
    expect(await pace.after(101)).to.equal(200);
    expect([looks, pace.wallets]).to.deep.equal([0, 100]);
  });

  /** Transactions of others in a second, the pause after a batch of 50 ms, and the wallets of the next. */
  const cases = [
    [0, 0, 500],
    [100, 50, 300],
    [200, 100, 100],
    [1_000, 100, 100],
  ] as const;
  for (const [perSecond, pause, wallets] of cases)
    it(`follows ${perSecond} transactions a second of others`, async () => {
      const pace = await begun();
      expect(looks).to.equal(1);
      // In two seconds, beside one of its own.
      clock.ms += 2_000;
      transactions! += 2 * perSecond + 1;
      expect(await pace.after(BATCH_MS)).to.equal(pause);
      expect([looks, pace.wallets]).to.deep.equal([2, wallets]);
    });
});
