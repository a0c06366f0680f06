// The arithmetic of settlements: every division is exact, in the code and in the database.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { divideAmongHolders } from '#app/graduation/settlement/credits/repository.js';
import { sumSamples } from '#app/graduation/settlement/periods/samples-repository.js';
import { divideByLargestRemainder, splitSol, splitTokens } from '#app/graduation/settlement/payment/split.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { openTestDatabase } from '#tests/database/database.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';
import { U64_MAX } from '#tests/constants.js';

const amounts = fc.bigInt(0n, U64_MAX);
const shares = fc
  .tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000))
  .filter((parts) => parts.reduce((a, b) => a + b) <= 10_000)
  .map(([burnBps, holdersBps, lpBps]) => ({ burnBps, holdersBps, lpBps }));
const sumOf = (parts: readonly bigint[]) => parts.reduce((a, b) => a + b, 0n);

describe('divideByLargestRemainder', () => {
  const weights = fc
    .array(fc.bigInt(0n, U64_MAX), { minLength: 1, maxLength: 40 })
    .filter((list) => sumOf(list) > 0n);

  it('distributes exactly the total, each part within one unit of its exact share', () => {
    fc.assert(
      fc.property(amounts, weights, (total, list) => {
        const parts = divideByLargestRemainder(total, list);
        expect(sumOf(parts)).to.equal(total);
        for (const [index, weight] of list.entries()) {
          const exact = (total * weight) / sumOf(list);
          expect(parts[index] === exact || parts[index] === exact + 1n).to.equal(true);
          if (weight === 0n) expect(parts[index]).to.equal(0n);
        }
      }),
    );
  });

  it('rounds up the parts with the largest remainders, the earlier of two equal ones', () => {
    fc.assert(
      fc.property(amounts, weights, (total, list) => {
        const parts = divideByLargestRemainder(total, list);
        const sum = sumOf(list);
        const lost = list.map((weight) => (total * weight) % sum);
        const up = list.map((weight, index) => parts[index] !== (total * weight) / sum);
        for (const [i, raised] of up.entries()) {
          for (const [j, other] of up.entries()) {
            if (!raised || other) continue;
            const [a = 0n, b = 0n] = [lost[i], lost[j]];
            expect(a > b || (a === b && i < j)).to.equal(true);
          }
        }
      }),
    );
  });

  it('refuses negative values and weights that sum to zero', () => {
    expect(() => divideByLargestRemainder(1n, [0n, 0n])).to.throw(RangeError, 'weights sum to 0');
    expect(() => divideByLargestRemainder(-1n, [1n])).to.throw(RangeError, 'total is -1');
    expect(() => divideByLargestRemainder(1n, [2n, -1n])).to.throw(RangeError, 'a weight is -1');
    expect(divideByLargestRemainder(0n, [0n])).to.deep.equal([0n]);
  });
});

describe('splitTokens and splitSol', () => {
  it('add up to the amount taken, with or without holders', () => {
    fc.assert(
      fc.property(amounts, shares, fc.boolean(), (taken, terms, hasHolders) => {
        for (const split of [splitTokens, splitSol]) {
          const parts = split(taken, terms, hasHolders);
          expect(sumOf(Object.values(parts))).to.equal(taken);
          expect(Object.values(parts).every((part) => part >= 0n)).to.equal(true);
          if (!hasHolders) expect(parts.holders).to.equal(0n);
        }
      }),
    );
  });

  it('never burn SOL: the creator gets the burn share, the rest is divided like tokens', () => {
    fc.assert(
      fc.property(amounts, shares, (taken, terms) => {
        const token = splitTokens(taken, terms, true);
        expect(splitSol(taken, terms, true)).to.deep.equal({
          burn: 0n,
          holders: token.holders,
          lp: token.lp,
          creator: token.creator + token.burn,
        });
      }),
    );
  });

  it('divide 10 units by 12.5%, 33.33%, 20.84% and 33.33% like a calculation by hand', () => {
    const parts = splitTokens(10n, { burnBps: 1_250, holdersBps: 3_333, lpBps: 2_084 }, true);
    // Exact: 1.25, 3.333, 2.084, 3.333. One unit is left; the holders come before the creator.
    expect(parts).to.deep.equal({ burn: 1n, holders: 4n, lp: 2n, creator: 3n });
  });
});

describe('the division among holders', function () {
  this.timeout(120_000);
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('gives the same result in the database as in the code', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt(1n, U64_MAX), { minLength: 1, maxLength: 60 }),
        amounts,
        amounts,
        async (balances, sol, token) => {
          round += 1;
          const id = await beginPeriod(database, `mint ${round}`);
          const owners = balances.map((_, index) => `wallet ${String(index).padStart(3, '0')}`);
          const holdings = (part: (balance: bigint) => bigint) =>
            owners.map((owner, index) => ({ owner, balance: part(balances[index] ?? 0n) }));
          // Each wallet has two accounts, and holds its whole balance in only one of two samples.
          await addSample(database, id, 0, [
            [...holdings((balance) => balance / 2n), { owner: 'curve', balance: 7n }],
            holdings((balance) => balance - balance / 2n),
          ]);
          await addSample(database, id, 1, [[]]);
          const weights = await database.transaction((tx) => sumSamples(tx, id, ['curve']));
          expect(weights).to.deep.equal({ holders: balances.length, held: sumOf(balances), slot: 2 });
          await database.transaction((tx) => divideAmongHolders(tx, id, { sol, token }));
          const rows = await rowsOf<{ wallet: string; sol: string; token: string }>(
            database.queries,
            creditsOf(id),
          );
          const credited = new Map(rows.map((row) => [row.wallet, row]));
          const expected = {
            sol: divideByLargestRemainder(sol, balances),
            token: divideByLargestRemainder(token, balances),
          };
          for (const [index, owner] of owners.entries()) {
            expect(BigInt(credited.get(owner)?.sol ?? 0)).to.equal(expected.sol[index]);
            expect(BigInt(credited.get(owner)?.token ?? 0)).to.equal(expected.token[index]);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

const creditsOf = (id: number) =>
  sql`select wallet, sol::text as sol, token::text as token from settlement_credits where settlement_id = ${id}`;
