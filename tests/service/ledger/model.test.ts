// Random histories of rewards and claims, compared with a model that consists of a few maps. threat: double-claim, fault-in-code
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { inArray } from 'drizzle-orm';
import { statement } from '#app/db/database.js';
import type { Asset } from '#app/ledger/accounts.js';
import { walletBalances } from '#app/ledger/balances.js';
import { credit, type Credit } from '#app/ledger/credit.js';
import { newClaim } from '#tests/database/ledger.js';
import { checkLedger } from '#app/ledger/check.js';
import { ledgerAccounts } from '#app/db/schema/index.js';
import { ClaimsRepository, type NotStored, type ClaimEnd } from '#app/claims/repository.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { namedBy } from '#tests/arbitraries/named-by.js';
import { rejection } from '#tests/mocha/failures.js';
import { U64_MAX } from '#tests/constants.js';

// A model of the ledger that consists of a few maps, and the steps of its random histories.

const WALLETS = ['wallet 1', 'wallet 2'] as const;
const TOKENS = 2;
const ASSETS: readonly Asset[] = ['SOL', 'TOKEN'];
const HISTORIES = 40;
const LONGEST = 40;

type Kind = 'claimable' | 'reserved' | 'claimed';

const wallet = fc.constantFrom(...WALLETS);
const token = fc.nat(TOKENS - 1);
const asset = fc.constantFrom(...ASSETS);
/** Counted from the newest. */
const which = fc.nat(LONGEST);
/** Limits the sum of a history to 2^64 − 1, because neither lamports nor tokens can exceed it. */
const MOST = U64_MAX / BigInt(LONGEST);
const amount = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, MOST), fc.constant(MOST));

const weighed = namedBy('do');
const steps = fc.oneof(
  weighed(4, 'credit', {
    to: fc.uniqueArray(fc.record({ wallet, amount }), { selector: (part) => part.wallet, minLength: 1 }),
    token,
    asset,
  }),
  weighed(1, 'credit again', { which }),
  weighed(4, 'claim', {
    wallet,
    token,
    asset,
    off: fc.oneof({ weight: 8, arbitrary: fc.constant(0n) }, fc.constantFrom(1n, -1n)),
  }),
  weighed(4, 'end', { which, as: fc.constantFrom<ClaimEnd>('COMPLETED', 'FAILED', 'EXPIRED') }),
  weighed(1, 'correct', { which }),
);

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

interface ModelClaim {
  readonly signature: string;
  readonly wallet: string;
  readonly mint: string;
  readonly asset: Asset;
  readonly amount: bigint;
  state: ClaimEnd | 'IN_PROGRESS';
}

class Model {
  /** Keyed by `owner mint asset kind`. Without an owner it is the amount that a source has given, negated. */
  readonly balances = new Map<string, bigint>();
  readonly claims: ModelClaim[] = [];
  readonly credited: {
    readonly key: string;
    readonly to: readonly Credit[];
    readonly mint: string;
    readonly asset: Asset;
  }[] = [];

  balance(owner: string | null, mint: string, asset: Asset, kind: string): bigint {
    return this.balances.get(nameOf(owner, mint, asset, kind)) ?? 0n;
  }

  add(owner: string | null, mint: string, asset: Asset, kind: string, by: bigint): void {
    this.balances.set(nameOf(owner, mint, asset, kind), this.balance(owner, mint, asset, kind) + by);
  }

  move({ wallet, mint, asset, amount }: ModelClaim, from: Kind, to: Kind): void {
    this.add(wallet, mint, asset, from, -amount);
    this.add(wallet, mint, asset, to, amount);
  }

  isBusy(wallet: string, mint: string): boolean {
    return this.claims.some((c) => c.wallet === wallet && c.mint === mint && c.state === 'IN_PROGRESS');
  }

  /** The balances that are not zero, sorted by name. */
  shown(): [string, bigint][] {
    return [...this.balances].filter(([, balance]) => balance !== 0n).sort();
  }
}

function chosen<T>(all: readonly T[], which: number): T | undefined {
  return all[all.length - 1 - (which % all.length)];
}

function nameOf(owner: string | null, mint: string, asset: string, kind: string): string {
  return `${owner ?? '-'}|${mint}|${asset}|${kind}`;
}

describe(`the ledger against a model (${DATABASE_KIND})`, () => {
  const database = useDatabase({ paymentsOpen: true });
  let repository: ClaimsRepository;

  before(() => (repository = new ClaimsRepository(database)));

  const random = () => randomBytes(8).toString('hex');

  /** Every row that a step could leave. */
  const traces = async () => {
    const [row] = await statement<{ traces: string }>(database.queries)`
      select concat_ws(' ', (select count(*) from ledger_postings), (select count(*) from ledger_entries),
      (select string_agg(signature || state, ',' order by signature) from claims),
      (select count(*) from idempotency_keys)) as traces`;
    return row!.traces;
  };

  const holds = async (mints: readonly string[]): Promise<[string, bigint][]> => {
    const rows = await database.queries
      .select()
      .from(ledgerAccounts)
      .where(inArray(ledgerAccounts.mint, [...mints]));
    return rows
      .filter(({ balance }) => balance !== 0n)
      .map(({ owner, mint, asset, kind, balance }): [string, bigint] => [
        nameOf(owner, mint, asset, kind),
        balance,
      ])
      .sort();
  };

  /** Takes a step in the database and in the model. @returns whether the step must leave no trace */
  async function take(step: Step, model: Model, mints: readonly string[]): Promise<boolean> {
    switch (step.do) {
      case 'credit': {
        const mint = mints[step.token]!;
        const { to, asset } = step;
        const key = random();
        const booked = await database.transaction((tx) =>
          credit(tx, 'settlement', { key, mint, asset, credits: to }),
        );
        expect(booked).to.equal(true);
        model.credited.push({ key, to, mint, asset });
        for (const { wallet, amount } of to) {
          model.add(wallet, mint, asset, 'claimable', amount);
          model.add(null, mint, asset, 'settlement', -amount);
        }
        return false;
      }
      case 'credit again': {
        const known = chosen(model.credited, step.which);
        if (known === undefined) return true;
        const { key, to, mint, asset } = known;
        const credits = to.map(({ wallet, amount }) => ({ wallet, amount: amount + 1n }));
        expect(
          await database.transaction((tx) => credit(tx, 'settlement', { key, mint, asset, credits })),
        ).to.equal(false);
        return true;
      }
      case 'claim': {
        const mint = mints[step.token]!;
        const { wallet, asset, off } = step;
        const claimable = model.balance(wallet, mint, asset, 'claimable');
        const claim = newClaim({ wallet, mint, asset, amount: claimable + off });
        const expected: NotStored | undefined = model.isBusy(wallet, mint)
          ? 'in progress'
          : claimable === 0n || off !== 0n
            ? 'other amount'
            : undefined;
        expect(await repository.store(claim, undefined)).to.equal(expected);
        if (expected !== undefined) return true;
        model.claims.push({ ...claim, state: 'IN_PROGRESS' });
        model.move(model.claims.at(-1)!, 'claimable', 'reserved');
        return false;
      }
      case 'end': {
        // In most cases a claim that can end.
        const open = model.claims.filter(({ state }) => state === 'IN_PROGRESS');
        const claim = chosen(step.which % 4 === 0 ? model.claims : open, step.which);
        if (claim === undefined) return true;
        const isOpen = claim.state === 'IN_PROGRESS';
        expect(await repository.end(claim.signature, step.as, null, { now: new Date(), landed: 1 })).to.equal(
          isOpen,
        );
        if (!isOpen) return true;
        claim.state = step.as;
        model.move(claim, 'reserved', step.as === 'COMPLETED' ? 'claimed' : 'claimable');
        return false;
      }
      case 'correct': {
        const expired = model.claims.filter(({ state }) => state === 'EXPIRED');
        const claim = chosen(step.which % 4 === 0 ? model.claims : expired, step.which);
        if (claim === undefined) return true;
        const { wallet, mint, asset, amount, signature } = claim;
        const correction = repository.correct(signature, { now: new Date(), landed: 1 });
        if (claim.state !== 'EXPIRED') {
          expect(await correction).to.equal(false);
          return true;
        }
        if (model.balance(wallet, mint, asset, 'claimable') < amount) {
          expect(String((await rejection(correction, Error)).cause)).to.match(/violates check constraint/);
          return true;
        }
        expect(await correction).to.equal(true);
        claim.state = 'COMPLETED';
        model.move(claim, 'claimable', 'claimed');
        return false;
      }
    }
  }

  it('equals the model after every step of every history, and refusals leave no trace', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: LONGEST, size: 'max' }), async (history) => {
        const mints = Array.from({ length: TOKENS }, () => `mint ${random()}`);
        const model = new Model();
        for (const step of history) {
          const before = await traces();
          const leavesNothing = await take(step, model, mints);
          expect(await holds(mints), step.do).to.deep.equal(model.shown());
          if (leavesNothing) expect(await traces(), step.do).to.equal(before);
        }
        for (const mint of mints) {
          for (const asset of ASSETS) {
            const credits = model.credited
              .filter((credited) => credited.mint === mint && credited.asset === asset)
              .flatMap(({ to }) => to)
              .reduce((sum, { amount }) => sum + amount, 0n);
            expect(await sumOf(mint, asset)).to.equal(credits);
          }
          await expectShown(model, mint);
        }
        expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
      }),
      { numRuns: HISTORIES },
    );
  });

  /** Σ unclaimed + Σ reserved + Σ claimed, computed from the entries only. */
  async function sumOf(mint: string, asset: Asset): Promise<bigint> {
    const [row] = await statement<{ sum: string }>(database.queries)`
      select coalesce(sum(e.amount), 0)::text as sum from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where a.mint = ${mint} and a.asset = ${asset} and a.kind in ('claimable', 'reserved', 'claimed')`;
    return BigInt(row!.sum);
  }

  /** The balances that the API reads must equal the model's. */
  async function expectShown(model: Model, mint: string): Promise<void> {
    for (const wallet of WALLETS) {
      const all = (asset: Asset) =>
        (['claimable', 'reserved', 'claimed'] as const).reduce(
          (sum, kind) => sum + model.balance(wallet, mint, asset, kind),
          0n,
        );
      const expected = {
        mint,
        unclaimedSol: model.balance(wallet, mint, 'SOL', 'claimable'),
        unclaimedToken: model.balance(wallet, mint, 'TOKEN', 'claimable'),
        allTimeSol: all('SOL'),
        allTimeToken: all('TOKEN'),
      };
      const isNothing = expected.allTimeSol === 0n && expected.allTimeToken === 0n;
      expect(await walletBalances(database.queries, wallet, mint)).to.deep.equal(isNothing ? [] : [expected]);
    }
  }
});
