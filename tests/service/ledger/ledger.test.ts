import { expect } from 'chai'; // threat: mixed-cover, fault-in-code
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';
import { checkLedger, SOME_BALANCES_FOLLOW } from '#app/ledger/check.js';
import type { WalletAsset } from '#app/ledger/accounts.js';
import { hasPostings, holdClaimable, walletBalances } from '#app/ledger/balances.js';
import { credit } from '#app/ledger/credit.js';
import { post } from '#app/ledger/post.js';
import { foldTotals } from '#app/ledger/totals.js';
import { endReserve, reserveAll } from '#tests/database/ledger.js';
import { openTestDatabase } from '#tests/database/database.js';
import { U64_MAX } from '#tests/constants.js';

const MINT = 'MintMintMintMintMintMintMintMintMintMintMin1';
const ALICE = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ice';

describe('the ledger', () => {
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  const creditAlice = (key: string, amount: bigint, mint = MINT) =>
    database.transaction((tx) =>
      credit(tx, 'referral', { key, mint, asset: 'SOL', credits: [{ wallet: ALICE, amount }] }),
    );

  it('knows whether anything was ever booked', async () => {
    expect(await hasPostings(database.queries)).to.equal(false);
    await creditAlice('one lamport', 1n, `${MINT.slice(0, -1)}3`);
    expect(await hasPostings(database.queries)).to.equal(true);
  });

  it('tells what a wallet can claim of each origin', async () => {
    const mint = `${MINT.slice(0, -1)}4`;
    const held = (of: Partial<WalletAsset> = {}) =>
      database.transaction((tx) => holdClaimable(tx, { wallet: ALICE, mint, asset: 'SOL', ...of }));
    expect(await held()).to.deep.equal({ settlement: 0n, referral: 0n });
    await creditAlice('of a referral', 5n, mint);
    expect(await held()).to.deep.equal({ settlement: 0n, referral: 5n });
    const credits = [{ wallet: ALICE, amount: 7n }];
    await database.transaction((tx) =>
      credit(tx, 'settlement', { key: 'of a settlement', mint, asset: 'SOL', credits }),
    );
    expect(await held()).to.deep.equal({ settlement: 7n, referral: 5n });
    for (const other of [{ wallet: 'Bob' }, { mint: 'another' }, { asset: 'TOKEN' }] as const)
      expect(await held(other)).to.deep.equal({ settlement: 0n, referral: 0n });
  });

  it('credits once per key', async () => {
    expect(await creditAlice('first', 5n)).to.equal(true);
    expect(await creditAlice('first', 5n)).to.equal(false);
    const balances = await walletBalances(database.queries, ALICE);
    const ofToken = balances.filter(({ mint }) => mint === MINT);
    expect(balances.length).to.be.greaterThan(1);
    expect(await walletBalances(database.queries, ALICE, MINT)).to.deep.equal(ofToken);
    expect(ofToken[0]).to.deep.equal({
      mint: MINT,
      unclaimedSol: 5n,
      unclaimedToken: 0n,
      allTimeSol: 5n,
      allTimeToken: 0n,
    });
  });

  it('gives the whole claimable amount to exactly one of many concurrent reserves', async () => {
    const mint = `${MINT.slice(0, -1)}2`;
    await creditAlice('to reserve', U64_MAX, mint);
    const reserved = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        database.transaction((tx) =>
          reserveAll(tx, { key: `reserve ${index}`, wallet: ALICE, mint, asset: 'SOL' }),
        ),
      ),
    );
    const amounts = { settlement: 0n, referral: U64_MAX };
    expect(reserved.filter(({ referral }) => referral > 0n)).to.deep.equal([amounts]);
    const held = { wallet: ALICE, mint, asset: 'SOL', amounts } as const;
    expect(await database.transaction((tx) => endReserve(tx, { key: 'end', ...held }, 'claimable'))).to.equal(
      true,
    );
    expect(await database.transaction((tx) => endReserve(tx, { key: 'end', ...held }, 'claimed'))).to.equal(
      false,
    );
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });

  it('refuses a posting that does not sum to zero', async () => {
    const entry = { kind: 'claimable', owner: ALICE, mint: MINT, asset: 'SOL', amount: 1n } as const;
    await expectRefusal(
      database.transaction((tx) =>
        post(tx, { key: 'lopsided', entries: [{ ...entry, origin: 'referral' }] }),
      ),
      'must sum to zero',
    );
  });

  it('refuses to move rewards from one origin to the other', async () => {
    const account = { kind: 'claimable', owner: ALICE, mint: MINT, asset: 'SOL' } as const;
    await expectRefusal(
      database.transaction((tx) =>
        post(tx, {
          key: 'mixed',
          entries: [
            { ...account, origin: 'referral', amount: -1n },
            { ...account, origin: 'settlement', amount: 1n },
          ],
        }),
      ),
      'must sum to zero for each token, asset and origin',
    );
  });

  for (const statement of [
    'update ledger_entries set amount = 1',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'delete from ledger_postings',
    'update ledger_accounts set balance = 7',
    'delete from ledger_accounts',
    "insert into ledger_accounts (kind, owner, mint, asset, origin, balance) values ('claimable', 'x', 'y', 'SOL', 'referral', 1)",
  ]) {
    it(`refuses \`${statement}\``, async () => {
      await expectRefusal(
        database.queries.execute(sql.raw(statement)),
        /append-only|only by entries|begins with nothing|truncate/,
      );
    });
  }

  it('looks the accounts of the quick check up in the index, so that it takes no longer for a large ledger', async () => {
    const plan = await database.transaction(async (tx) => {
      // So small a table would be read whole.
      await tx.execute(sql`set local enable_seqscan = off`);
      return rowsOf<{ 'QUERY PLAN': string }>(tx, sql`explain ${SOME_BALANCES_FOLLOW}`);
    });
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).to.match(/Index Cond: \(id >= /);
  });

  it('merges the rows that postings add to the totals, and changes no total', async () => {
    const totals = () =>
      rowsOf<{ rows: number }>(
        database.queries,
        sql`select asset, origin, kind, sum(amount)::text as amount, count(*)::integer as rows from ledger_totals
            group by asset, origin, kind having sum(amount) <> 0 order by asset, origin, kind`,
      );
    await creditAlice('to merge', 3n);
    const before = await totals();
    expect(before.some(({ rows }) => rows > 1)).to.equal(true);
    await database.transaction(foldTotals);
    expect(await totals()).to.deep.equal(before.map((total) => ({ ...total, rows: 1 })));
  });

  it('keeps each balance equal to its entries', async () => {
    const [row] = await rowsOf<{ entries: string }>(
      database.queries,
      sql`select count(*)::text as entries from ledger_entries`,
    );
    expect(Number(row?.entries)).to.be.greaterThan(0);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });
});

async function expectRefusal(attempt: PromiseLike<unknown>, message: string | RegExp): Promise<void> {
  let problem: unknown;
  try {
    await attempt;
  } catch (error) {
    problem = error;
  }
  expect(problem, 'nothing was refused').to.be.instanceOf(Error);
  expect(String((problem as Error).cause ?? problem)).to.match(
    message instanceof RegExp ? message : new RegExp(message),
  );
}
