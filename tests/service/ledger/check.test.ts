// The check of the ledger names each rule that the books break. Other tests rely on it: for them no problem means correct books.
// threat: fault-in-code
import { expect } from 'chai';
import { sql, type SQL } from 'drizzle-orm';
import { ClaimsRepository, type NewClaim } from '#app/claims/repository.js';
import type { Database, Transaction } from '#app/db/database.js';
import type { SourceKind } from '#app/ledger/accounts.js';
import { checkLedger } from '#app/ledger/check.js';
import { credit } from '#app/ledger/credit.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';

const MINT = 'mint';
const FEES = 100n;

interface Damage {
  readonly statement: SQL;
  /** The broken rules, as the whole check and the quick one name them. */
  readonly whole: readonly string[];
  readonly quick: readonly string[];
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a balance': {
    statement: sql`update ledger_accounts set balance = balance + 1
      where owner = 'holder' and asset = 'SOL' and kind = 'claimable'`,
    whole: ['balances follow from entries', 'conserved', 'totals follow from balances'],
    quick: ['balances follow from entries'],
  },
  'a total': {
    statement: sql`update ledger_totals set amount = amount + 1
      where id = (select max(id) from ledger_totals where kind = 'claimable' and origin = 'settlement')`,
    whole: ['totals follow from balances'],
    quick: ['conserved'],
  },
  'an entry': {
    statement: sql`update ledger_entries set amount = amount + 1 where id = (select max(id) from ledger_entries)`,
    whole: ['balances follow from entries', 'postings balance'],
    quick: ['balances follow from entries'],
  },
  'the posting of an entry': {
    statement: sql`update ledger_entries set posting_id = (select min(id) from ledger_postings)
      where id = (select max(id) from ledger_entries)`,
    whole: ['postings balance'],
    quick: [],
  },
  'the amount of a claim in progress': {
    statement: sql`update claims set amount = amount + 1 where state = 'IN_PROGRESS'`,
    whole: ['covered by the treasury', 'reserved'],
    quick: ['reserved'],
  },
  'the amount of a paid claim': {
    statement: sql`update claims set amount = amount + 1 where wallet = 'paid'`,
    whole: ['claimed as paid'],
    quick: [],
  },
  "the treasury's reserve": {
    statement: sql`update treasury set reserved = reserved + 1 where asset = 'SOL'`,
    whole: ['covered by the treasury'],
    quick: [],
  },
  "the treasury's costs": {
    statement: sql`update treasury set costs = costs + 1 where asset = 'SOL'`,
    whole: ['covered by the treasury'],
    quick: [],
  },
  'the fees that back referral rewards': {
    statement: sql`update treasury set referral_cover = referral_cover + 1 where asset = 'SOL'`,
    whole: ['fees cover what is owed'],
    quick: ['fees cover what is owed'],
  },
  'the fees that came': {
    statement: sql`update treasury set referral_funded = referral_funded + 1 where asset = 'SOL'`,
    whole: ['fees follow from transfers'],
    quick: [],
  },
  'the fees that were paid': {
    statement: sql`update treasury set referral_settled = referral_settled + 1 where asset = 'SOL'`,
    whole: ['fees follow from transfers'],
    quick: [],
  },
};

describe(`the check of the ledger (${DATABASE_KIND})`, () => {
  let database: Database;

  before('claims that are paid, and one in progress', async () => {
    database = await openTestDatabase();
    await openPaymentsGate(database);
    await credited('holder', 'SOL', 'settlement', 100n);
    await credited('holder', 'TOKEN', 'settlement', 50n);
    await credited('paid', 'SOL', 'settlement', 20n);
    await credited('partner', 'SOL', 'referral', 30n);
    await credited('paid partner', 'SOL', 'referral', 10n);
    await database.queries.execute(sql`select treasury_fund('funding', ${String(FEES)}::numeric, 1)`);
    await claimed('holder', { asset: 'TOKEN', amount: 50n, opensAccount: true, rent: 7n });
    await claimed('paid', { amount: 20n });
    await claimed('paid partner', { amount: 10n, referral: 10n });
    for (const wallet of ['paid', 'paid partner'])
      await new ClaimsRepository(database).end(wallet, 'COMPLETED', null, { now: new Date(), landed: 2 });
  });
  after(() => database.close());

  const credited = (wallet: string, asset: 'SOL' | 'TOKEN', origin: SourceKind, amount: bigint) =>
    database.transaction((tx) =>
      credit(tx, origin, { key: `${wallet} ${asset}`, mint: MINT, asset, credits: [{ wallet, amount }] }),
    );
  const claimed = async (wallet: string, more: Partial<NewClaim>) => {
    const claim: NewClaim = {
      ...{ signature: wallet, wallet, mint: MINT, asset: 'SOL', amount: 0n, referral: 0n, burn: false },
      ...{ networkFee: 3n, opensAccount: false, rent: 0n, transaction: 'AAAA', blockhashSlot: 1 },
      ...{ lastValidBlockHeight: 150, ...more },
    };
    expect(await new ClaimsRepository(database).store(claim, undefined)).to.equal(undefined);
  };
  const brokenRules = async (tx: Transaction, whole: boolean): Promise<string[]> =>
    [...new Set((await checkLedger(tx, { whole })).map(({ rule }) => rule))].sort();

  it('finds nothing in correct books', async () => {
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
    expect(await checkLedger(database.queries, { whole: false })).to.deep.equal([]);
  });

  for (const [what, { statement, whole, quick }] of Object.entries(DAMAGES)) {
    it(`names the rules that a change of ${what} breaks`, async () => {
      const found = await undone(async (tx) => {
        // Without the triggers, which refuse the statement.
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(statement);
        return { whole: await brokenRules(tx, true), quick: await brokenRules(tx, false) };
      });
      expect(found).to.deep.equal({ whole, quick });
    });
  }

  it('says which account differs, and by what', async () => {
    const { statement } = DAMAGES['a balance']!;
    const [problem] = await undone(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(statement);
      return checkLedger(tx, { whole: false });
    });
    expect(problem?.detail).to.match(/^account \d+: balance 101, entries 100$/);
  });

  /** Does the work in a transaction that is rolled back. */
  async function undone<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const undo = new Error('undo');
    let result: T | undefined;
    await database
      .transaction(async (tx) => {
        result = await work(tx);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return result!;
  }
});
