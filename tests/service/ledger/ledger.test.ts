// What the ledger's tables refuse, and which rules its check names when the books break them. Other tests rely on the check: for
// them no problem means correct books. threat: mixed-cover, fault-in-code
import { expect } from 'chai';
import { sql, type SQL } from 'drizzle-orm';
import { ClaimsRepository, type NewClaim } from '#app/claims/repository.js';
import { statement, type Transaction } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { foldTotals, post } from '#app/ledger/post.js';
import { rejection } from '#tests/mocha/failures.js';
import { creditOf, newClaim } from '#tests/database/ledger.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';

const MINT = 'MintMintMintMintMintMintMintMintMintMintMin1';
const ALICE = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ice';

describe('the ledger', () => {
  const database = useDatabase();

  before(async () => {
    for (const amount of [1n, 2n])
      await creditOf(database, { wallet: ALICE, mint: MINT, asset: 'SOL', amount }, 'referral');
  });

  const account = { kind: 'claimable', owner: ALICE, mint: MINT, asset: 'SOL', origin: 'referral' } as const;
  for (const [what, entries, message] of [
    ['a posting that does not sum to zero', [{ ...account, amount: 1n }], /must sum to zero/],
    [
      'to take more from an account than it has',
      [
        { ...account, amount: -4n },
        { ...account, kind: 'claimed', amount: 4n },
      ],
      /violates check constraint/,
    ],
    [
      'to move rewards from one origin to the other',
      [
        { ...account, amount: -1n },
        { ...account, origin: 'settlement', amount: 1n },
      ],
      /must sum to zero for each token, asset and origin/,
    ],
  ] as const)
    it(`refuses ${what}`, () =>
      expectRefusal(
        database.transaction((tx) => post(tx, { key: what, entries })),
        message,
      ));

  for (const statement of [
    'update ledger_entries set amount = 1',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'delete from ledger_postings',
    'update ledger_accounts set balance = 7',
    'delete from ledger_accounts',
    "insert into ledger_accounts (kind, owner, mint, asset, origin, balance) values ('claimable', 'x', 'y', 'SOL', 'referral', 1)",
  ])
    it(`refuses \`${statement}\``, async () => {
      await expectRefusal(
        database.queries.execute(sql.raw(statement)),
        /append-only|only by entries|begins with nothing|truncate/,
      );
    });

  it('merges the rows that postings add to the totals, and changes no total', async () => {
    const totals = () =>
      statement<{ rows: number }>(database.queries)`
        select asset, origin, kind, sum(amount)::text as amount, count(*)::integer as rows from ledger_totals
        group by asset, origin, kind having sum(amount) <> 0 order by asset, origin, kind`;
    const before = await totals();
    expect(before.some(({ rows }) => rows > 1)).to.equal(true);
    await database.transaction(foldTotals);
    expect(await totals()).to.deep.equal(before.map((total) => ({ ...total, rows: 1 })));
  });
});

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
  const database = useDatabase({ paymentsOpen: true });

  before('claims that are paid, and one in progress', async () => {
    for (const [wallet, asset, amount, origin] of [
      ['holder', 'SOL', 100n, 'settlement'],
      ['holder', 'TOKEN', 50n, 'settlement'],
      ['paid', 'SOL', 20n, 'settlement'],
      ['partner', 'SOL', 30n, 'referral'],
      ['paid partner', 'SOL', 10n, 'referral'],
    ] as const)
      await creditOf(database, { wallet, mint: MINT, asset, amount }, origin);
    await database.queries.execute(sql`select treasury_fund('funding', ${String(FEES)}::numeric, 1)`);
    await claimed('holder', { asset: 'TOKEN', amount: 50n, opensAccount: true, rent: 7n });
    await claimed('paid', { amount: 20n });
    await claimed('paid partner', { amount: 10n, referral: 10n });
    for (const wallet of ['paid', 'paid partner'])
      await new ClaimsRepository(database).end(wallet, 'COMPLETED', null, { now: new Date(), landed: 2 });
  });

  const claimed = async (wallet: string, more: Pick<NewClaim, 'amount'> & Partial<NewClaim>) => {
    const claim = newClaim({ signature: wallet, wallet, mint: MINT, asset: 'SOL', networkFee: 3n, ...more });
    expect(await new ClaimsRepository(database).store(claim, undefined)).to.equal(undefined);
  };
  const brokenRules = async (tx: Transaction, whole: boolean): Promise<string[]> =>
    [...new Set((await checkLedger(tx, { whole })).map(({ rule }) => rule))].sort();

  it('finds nothing in correct books', async () => {
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
    expect(await checkLedger(database.queries, { whole: false })).to.deep.equal([]);
  });

  for (const [what, { statement, whole, quick }] of Object.entries(DAMAGES))
    it(`names the rules that a change of ${what} breaks`, async () => {
      const found = await undone(async (tx) => {
        // Without the triggers, which refuse the statement.
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(statement);
        if (what === 'a balance')
          expect((await checkLedger(tx, { whole: false }))[0]?.detail).to.match(
            /^account \d+: balance 101, entries 100$/,
          );
        return { whole: await brokenRules(tx, true), quick: await brokenRules(tx, false) };
      });
      expect(found).to.deep.equal({ whole, quick });
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

async function expectRefusal(attempt: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await rejection(attempt, Error);
  expect(((error.cause ?? error) as Error).message).to.match(message);
}
