// Decisions and arithmetic of a settlement: whether storages are due, what it takes and pays, when it waits, whose account can be paid,
// its memo, its size, and the exact division of an amount.
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { associatedTokenAddress, compileTransaction, MAX_TRANSACTION_SIZE } from '@curvekit/sdk';
import { rowsOf } from '#app/db/database.js';
import { divideAmongHolders } from '#app/graduation/settlement/credits/repository.js';
import { memoInstruction, readMemo, writeMemo } from '#app/graduation/settlement/payment/memo.js';
import { isEmpty, planSettlement, type PlanFacts } from '#app/graduation/settlement/payment/plan.js';
import {
  readRecipients,
  type Recipient,
  type Recipients,
} from '#app/graduation/settlement/payment/recipients.js';
import { divideByLargestRemainder, splitSol, splitTokens } from '#app/graduation/settlement/payment/split.js';
import { settlementInstructions } from '#app/graduation/settlement/payment/transaction.js';
import { isDue, valueOf } from '#app/graduation/settlement/periods/due.js';
import { sumSamples } from '#app/graduation/settlement/periods/samples-repository.js';
import { U64_MAX } from '#tests/constants.js';
import { openTestDatabase } from '#tests/database/database.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';
import { ACCOUNT_RENT, startAccountsNode, type AccountsNode } from '#tests/node/accounts-node.js';
import { keyOf } from '../../../differential/call.js';
import { tokenAccount } from '../../../differential/token-account.js';

describe('planSettlement', () => {
  const recipient = (state: Partial<Recipient> = {}): Recipient => ({
    address: Keypair.generate().publicKey,
    lamports: 1_000_000_000n,
    tokenAccount: 'open',
    ...state,
  });
  const facts = (changes: Partial<PlanFacts> = {}, recipients: Partial<Recipients> = {}): PlanFacts => ({
    holds: { sol: 1_000_000n, token: 1_000_000n },
    minimum: { sol: 1n, token: 1n },
    shares: { burnBps: 1_000, holdersBps: 2_000, lpBps: 3_000 },
    hasHolders: true,
    recipients: { treasury: recipient(), lp: recipient(), creator: recipient(), ...recipients },
    mayOpenCreatorAccount: true,
    rentMinimum: 890_880n,
    ...changes,
  });
  const [poor, foreign, missing] = [
    recipient({ lamports: 0n }),
    recipient({ tokenAccount: 'foreign' }),
    recipient({ tokenAccount: 'missing' }),
  ];
  const toCreator = { burnBps: 0, holdersBps: 0, lpBps: 0 };
  const toHolders = { ...toCreator, holdersBps: 10_000 };
  const halves = { ...toCreator, holdersBps: 2_000, lpBps: 3_000 };
  const noKey = 'the treasury has no key: set TREASURY_KEYPAIR';
  const unfunded = (what: string) =>
    `${what} ${poor.address.toBase58()} holds less than 890880 lamports and can't receive a small part: fund it`;
  const stolen = (what: string) =>
    `the token account of the ${what} ${foreign.address.toBase58()} belongs to somebody else: take it back`;
  /** With so many lamports that its part leaves it at rent exemption exactly, or a lamport below. */
  const exact = (part: bigint, short = 0n) => recipient({ lamports: 890_880n - part - short });

  /** What is taken and credited to the creator of SOL and of tokens, and why it waits. A million is in each storage. */
  type Planned = readonly [sol: bigint, solCredited: bigint, token: bigint, tokenCredited: bigint];
  const ALL: Planned = [1_000_000n, 0n, 1_000_000n, 0n];
  const [NO_SOL, NO_TOKENS, NOTHING]: Planned[] = [
    [0n, 0n, 1_000_000n, 0n],
    [1_000_000n, 0n, 0n, 0n],
    [0n, 0n, 0n, 0n],
  ];
  const CASES: Record<
    string,
    [changes: Partial<PlanFacts>, recipients: Partial<Recipients>, planned: Planned, waiting?: string]
  > = {
    'takes nothing below a minimum': [{ minimum: { sol: 1_000_001n, token: 1_000_000n } }, {}, NO_SOL!],
    'takes nothing of nothing, without a minimum': [
      { holds: { sol: 0n, token: 0n }, minimum: { sol: 0n, token: 0n } },
      {},
      NOTHING!,
    ],
    'waits for the treasury to have rent': [{}, { treasury: poor }, NO_SOL!, unfunded('the treasury')],
    'waits for the LP address to have rent': [{}, { lp: poor }, NO_SOL!, unfunded('the LP address')],
    'pays a treasury exactly at rent': [{ shares: halves }, { treasury: exact(200_000n) }, ALL],
    'pays an LP address exactly at rent': [{ shares: halves }, { lp: exact(300_000n) }, ALL],
    'pays a creator exactly at rent': [{ shares: halves }, { creator: exact(500_000n) }, ALL],
    'credits the SOL of a creator a lamport below': [
      { shares: halves },
      { creator: exact(500_000n, 1n) },
      [1_000_000n, 500_000n, 1_000_000n, 0n],
    ],
    'checks no rent of those who get nothing': [{ shares: toCreator }, { treasury: poor, lp: poor }, ALL],
    'checks no rent of a creator who gets nothing': [{ shares: toHolders }, { creator: poor, lp: poor }, ALL],
    "adds the creator's credit to what reaches the treasury": [
      { shares: { ...halves, lpBps: 0 }, rentMinimum: 2_000_000n },
      { treasury: recipient({ lamports: 1_000_000n }), creator: poor },
      [1_000_000n, 800_000n, 1_000_000n, 0n],
    ],
    'waits without a treasury': [{}, { treasury: undefined, lp: undefined }, NOTHING!, noKey],
    'waits without an LP address': [
      {},
      { lp: undefined },
      NOTHING!,
      'its liquidity share has no recipient: set LP_ADDRESS',
    ],
    'needs neither of them to pay a creator': [{ shares: toCreator }, { treasury: undefined }, ALL],
    'waits for a treasury that bears only the credit of the creator': [
      { shares: toCreator, rentMinimum: 2_000_000n },
      { treasury: undefined, creator: { ...poor, tokenAccount: 'foreign' } },
      NOTHING!,
      noKey,
    ],
    'credits the tokens of a creator whose account is given away': [
      {},
      { creator: foreign },
      [1_000_000n, 0n, 1_000_000n, 400_000n],
    ],
    'credits the tokens of a creator whose account was opened before': [
      { mayOpenCreatorAccount: false },
      { creator: missing },
      [1_000_000n, 0n, 1_000_000n, 400_000n],
    ],
    'pays into an open account': [{ mayOpenCreatorAccount: false }, {}, ALL],
    "waits for the treasury's account": [{}, { treasury: foreign }, NO_TOKENS!, stolen('treasury')],
    "waits for the LP address's account": [{}, { lp: foreign }, NO_TOKENS!, stolen('LP address')],
    'does not need their accounts': [{ shares: toCreator }, { treasury: foreign, lp: foreign }, ALL],
  };
  for (const [name, [changes, recipients, planned, waiting]] of Object.entries(CASES))
    it(name, () => {
      const plan = planSettlement(facts(changes, recipients));
      const { sol, token } = plan;
      expect([sol.taken, sol.creatorCredited, token.taken, token.creatorCredited]).to.deep.equal(planned);
      expect(plan.waiting).to.deep.equal(waiting === undefined ? [] : [waiting]);
      expect(isEmpty(plan)).to.equal(planned === NOTHING);
    });

  it("opens the creator's token account only for tokens that go there", () => {
    const opens = (creator: Recipient, changes: Partial<PlanFacts> = {}) =>
      planSettlement(facts(changes, { creator })).opensCreatorAccount;
    expect([opens(missing), opens(recipient()), opens(foreign)]).to.deep.equal([true, false, false]);
    expect(opens(missing, { mayOpenCreatorAccount: false })).to.equal(false);
    expect(opens(missing, { shares: toHolders })).to.equal(false);
    expect(opens(missing, { holds: { sol: 1_000_000n, token: 0n } })).to.equal(false);
  });
});

describe('the value of storages', () => {
  const UNITS = 100_000_000_000n;
  const CURVE = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
  const FALLEN = { ...CURVE, virtualSol: CURVE.virtualSol / 100n };

  it('is rounded down, at the smaller price; reserves without tokens have none', () => {
    const storages = { sol: 5n, token: UNITS };
    const atCurve = 5n + (UNITS * CURVE.virtualSol) / CURVE.virtualToken;
    const atPool = 5n + (UNITS * FALLEN.virtualSol) / FALLEN.virtualToken;
    const empty = { virtualSol: 1n, virtualToken: 0n };
    expect(valueOf(storages, CURVE, undefined)).to.equal(atCurve);
    expect(valueOf(storages, CURVE, FALLEN)).to.equal(atPool);
    expect(valueOf(storages, FALLEN, CURVE)).to.equal(atPool);
    expect(valueOf({ sol: 0n, token: 2n }, { virtualSol: 2n, virtualToken: 3n }, undefined)).to.equal(1n);
    expect(valueOf(storages, CURVE, empty)).to.equal(atCurve);
    expect(valueOf(storages, empty, undefined)).to.equal(5n);
  });

  for (const [sol, token, value, minimumSol, minimumToken, due] of [
    [1n, 0n, 100n, 100n, 10n, true],
    [1n, 0n, 99n, 100n, 10n, false],
    [0n, 10n, 100n, 100n, 10n, true],
    [0n, 9n, 100n, 100n, 10n, false],
    [1n, 9n, 101n, 100n, 10n, true],
    [0n, 10n, 99n, 100n, 10n, false],
    [0n, 0n, 0n, 0n, 0n, false],
    [0n, 1n, 0n, 0n, 0n, true],
  ] as const)
    it(`is ${due ? 'enough' : 'too little'}: ${sol} lamports and ${token} units worth ${value}, from ${minimumSol} and ${minimumToken} on`, () => {
      const settings = { minimumSol, minimumToken } as Parameters<typeof isDue>[2];
      expect(isDue({ sol, token }, value, settings)).to.equal(due);
    });
});

describe('the recipients of a settlement', () => {
  const [mint, treasury, lp, creator, other] = Array.from(
    { length: 5 },
    () => Keypair.generate().publicKey,
  ) as [PublicKey, PublicKey, PublicKey, PublicKey, PublicKey];
  let node: AccountsNode;
  before(async () => (node = await startAccountsNode()));
  after(() => node.stop());
  beforeEach(() => node.reset());

  const accountOf = (owner: PublicKey, state = 1) => ({
    program: TOKEN_PROGRAM_ID,
    data: tokenAccount({ mint: keyOf(mint), owner: keyOf(owner), state }),
  });
  const hold = (wallet: PublicKey, lamports: bigint, account?: { program: PublicKey; data: Uint8Array }) => {
    node.put('confirmed', wallet, lamports);
    if (account !== undefined)
      node.put('confirmed', associatedTokenAddress(wallet, mint).address, ACCOUNT_RENT, account);
  };
  const read = (addresses: Partial<Parameters<typeof readRecipients>[2]> = {}) =>
    readRecipients(new Connection(node.url), mint, { treasury, lp, creator, ...addresses });

  it('have their own lamports and token accounts each, or are not set, or have none', async () => {
    hold(treasury, 1n, accountOf(treasury));
    hold(lp, 2n, accountOf(lp, 2));
    const [ofTreasury, ofLp, ofCreator] = [
      { address: treasury, lamports: 1n, tokenAccount: 'open' },
      { address: lp, lamports: 2n, tokenAccount: 'foreign' },
      { address: creator, lamports: 0n, tokenAccount: 'missing' },
    ];
    expect(await read()).to.deep.equal({ treasury: ofTreasury, lp: ofLp, creator: ofCreator });
    const without = await read({ treasury: undefined, lp: undefined });
    expect(without).to.deep.equal({ treasury: undefined, lp: undefined, creator: ofCreator });
  });

  it("have another's account when it is not theirs, frozen or of another size, and none when it only has lamports", async () => {
    const own = accountOf(creator);
    for (const [account, state] of [
      [accountOf(other), 'foreign'],
      [accountOf(creator, 2), 'foreign'],
      [{ ...own, data: Buffer.alloc(170) }, 'foreign'],
      [{ ...own, program: SystemProgram.programId }, 'missing'],
    ] as const) {
      hold(creator, 3n, account);
      expect((await read()).creator.tokenAccount).to.equal(state);
    }
  });
});

describe("a settlement's memo", () => {
  const TEXT = 'curvekit settlement 12 holders 345 6789 creator 1011 1213';

  it('has its id and the four amounts, and no other form', () => {
    const name = {
      ...{ id: 12, solHolders: 345n, tokenHolders: 6_789n },
      ...{ solCreatorCredited: 1_011n, tokenCreatorCredited: 1_213n },
    };
    expect([writeMemo(name), readMemo(TEXT)]).to.deep.equal([TEXT, name]);
    for (const text of [
      ...['', ` ${TEXT}`, `${TEXT} `, `${TEXT}0 1`, `${TEXT}x`, `x${TEXT}`, `${TEXT}\n`],
      ...[TEXT.replace('12 ', '012 '), TEXT.replace(' 345 ', ' -345 '), TEXT.replace('1213', '1213.0')],
      // An id that no number holds exactly.
      ...[TEXT.replace('settlement', 'Settlement'), TEXT.replace('12 ', '9007199254740993 ')],
    ])
      expect(readMemo(text), text).to.equal(undefined);
  });
});

it('the transaction of a settlement fits into one, even if it creates every account', () => {
  const key = () => Keypair.generate().publicKey;
  const dexOwner = key();
  const most = { treasury: 1n, lp: 1n, creator: 1n };
  const instructions = settlementInstructions({
    ...{ dexOwner, mint: key(), wsolStorage: key(), tokenStorage: key() },
    ...{ treasury: key(), lp: key(), creator: key(), opensCreatorAccount: true },
    sol: { taken: 3n, ...most },
    token: { burned: 1n, ...most },
    unwrapping: key(),
    tokenAccountRent: 2_039_280,
  });
  const most64 = 2n ** 64n - 1n;
  const memo = memoInstruction({
    ...{ id: Number.MAX_SAFE_INTEGER, solHolders: most64, tokenHolders: most64 },
    ...{ solCreatorCredited: most64, tokenCreatorCredited: most64 },
  });
  const parts = {
    payer: dexOwner,
    instructions: [memo, ...instructions],
    ...{ computeUnitLimit: 200_000, computeUnitPrice: 1_000_000n },
  };
  const bytes = compileTransaction(parts, key().toBase58()).serialize().length;
  expect(bytes).to.be.at.most(MAX_TRANSACTION_SIZE);
});

const amounts = fc.bigInt(0n, U64_MAX);
const shares = fc
  .tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000))
  .filter((parts) => parts.reduce((a, b) => a + b) <= 10_000)
  .map(([burnBps, holdersBps, lpBps]) => ({ burnBps, holdersBps, lpBps }));
const sumOf = (parts: readonly bigint[]) => parts.reduce((a, b) => a + b, 0n);

describe('divideByLargestRemainder', () => {
  const weights = fc.array(amounts, { minLength: 1, maxLength: 40 }).filter((list) => sumOf(list) > 0n);

  it('distributes exactly the total: the units that rounding down leaves go to the largest remainders, the earlier of equal ones', () => {
    fc.assert(
      fc.property(amounts, weights, (total, list) => {
        const parts = divideByLargestRemainder(total, list);
        expect(sumOf(parts)).to.equal(total);
        const lost = list.map((weight) => (total * weight) % sumOf(list));
        const added = list.map((weight, index) => parts[index]! - (total * weight) / sumOf(list));
        const byRemainder = [...list.keys()].sort((a, b) =>
          lost[a] === lost[b] ? a - b : lost[a]! > lost[b]! ? -1 : 1,
        );
        const left = Number(sumOf(lost) / sumOf(list));
        expect(byRemainder.map((index) => added[index])).to.deep.equal(
          byRemainder.map((_, place) => (place < left ? 1n : 0n)),
        );
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
  it('add up to the amount taken; the creator gets what has no holders, and SOL instead of its burn', () => {
    fc.assert(
      fc.property(amounts, shares, (taken, terms) => {
        const { burn, holders, lp, creator } = splitTokens(taken, terms, true);
        expect(burn + holders + lp + creator).to.equal(taken);
        const without = { burn, holders: 0n, lp, creator: creator + holders };
        expect(splitTokens(taken, terms, false)).to.deep.equal(without);
        expect(splitSol(taken, terms, true)).to.deep.equal({
          burn: 0n,
          holders,
          lp,
          creator: creator + burn,
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

describe('the division among holders', () => {
  it('gives the same result in the database as in the code', async () => {
    const database = await openTestDatabase();
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
      { numRuns: 25 },
    );
    await database.close();
  });
});

const creditsOf = (id: number) =>
  sql`select wallet, sol::text as sol, token::text as token from settlement_credits where settlement_id = ${id}`;
