// Decisions of a settlement: whether storages are due, what it takes and pays, when it waits, whose account can be paid, and its memo.
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { readMemo, writeMemo } from '#app/graduation/settlement/payment/memo.js';
import { isEmpty, planSettlement, type PlanFacts } from '#app/graduation/settlement/payment/plan.js';
import { readRecipients, type Recipient } from '#app/graduation/settlement/payment/recipients.js';
import { isDue, valueOf } from '#app/graduation/settlement/periods/due.js';
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
  const facts = (changes: Partial<PlanFacts> = {}): PlanFacts => ({
    holds: { sol: 1_000_000n, token: 1_000_000n },
    minimum: { sol: 1n, token: 1n },
    shares: { burnBps: 1_000, holdersBps: 2_000, lpBps: 3_000 },
    hasHolders: true,
    recipients: { treasury: recipient(), lp: recipient(), creator: recipient() },
    mayOpenCreatorAccount: true,
    rentMinimum: 890_880n,
    ...changes,
  });

  it('takes nothing from a storage below its minimum', () => {
    const plan = planSettlement(facts({ minimum: { sol: 1_000_001n, token: 1_000_000n } }));
    expect(plan.sol.taken).to.equal(0n);
    expect(plan.token.taken).to.equal(1_000_000n);
    expect(plan.waiting).to.deep.equal([]);
  });

  it('takes nothing from an empty storage when the minimum is 0', () => {
    const plan = planSettlement(facts({ holds: { sol: 0n, token: 0n }, minimum: { sol: 0n, token: 0n } }));
    expect([plan.sol.taken, plan.token.taken]).to.deep.equal([0n, 0n]);
  });

  it('takes no SOL while the treasury or LP address would stay below rent exemption, but takes the tokens', () => {
    for (const poor of ['treasury', 'lp'] as const) {
      const recipients = {
        treasury: recipient(),
        lp: recipient(),
        creator: recipient(),
        [poor]: recipient({ lamports: 0n }),
      };
      const plan = planSettlement(facts({ recipients }));
      expect(plan.sol.taken).to.equal(0n);
      expect(plan.token.taken).to.equal(1_000_000n);
      const name = poor === 'treasury' ? 'the treasury' : 'the LP address';
      const address = recipients[poor].address.toBase58();
      expect(plan.waiting).to.deep.equal([
        `${name} ${address} holds less than 890880 lamports and can't receive a small part: fund it`,
      ]);
    }
  });

  it('credits a creator whose token account was given away, or may not be created', () => {
    const planFor = (tokenAccount: Recipient['tokenAccount'], mayOpenCreatorAccount: boolean) =>
      planSettlement(
        facts({
          mayOpenCreatorAccount,
          recipients: { treasury: recipient(), lp: recipient(), creator: recipient({ tokenAccount }) },
        }),
      ).token.creatorCredited;
    expect(planFor('foreign', true)).to.equal(400_000n);
    expect(planFor('missing', false)).to.equal(400_000n);
    expect(planFor('missing', true)).to.equal(0n);
    expect(planFor('open', false)).to.equal(0n);
  });

  it('waits for a treasury when only what the creator is credited goes there', () => {
    const shares = { burnBps: 1_000, holdersBps: 0, lpBps: 0 };
    for (const creator of [recipient({ lamports: 0n }), recipient({ tokenAccount: 'foreign' })]) {
      const facing = { treasury: undefined, lp: undefined, creator };
      const holds = creator.lamports === 0n ? { sol: 9n, token: 0n } : { sol: 0n, token: 9n };
      const plan = planSettlement(facts({ shares, recipients: facing, holds }));
      expect(plan.waiting).to.deep.equal(['the treasury has no key: set TREASURY_KEYPAIR']);
      expect(isEmpty(plan)).to.equal(true);
    }
  });

  it('waits if the treasury or the LP address is not configured', () => {
    const recipients = { treasury: undefined, lp: undefined, creator: recipient() };
    expect(planSettlement(facts({ recipients })).waiting).to.deep.equal([
      'the treasury has no key: set TREASURY_KEYPAIR',
    ]);
    const withTreasury = { ...recipients, treasury: recipient() };
    expect(planSettlement(facts({ recipients: withTreasury })).waiting).to.deep.equal([
      'its liquidity share has no recipient: set LP_ADDRESS',
    ]);
    const shares = { burnBps: 0, holdersBps: 0, lpBps: 0 };
    const plan = planSettlement(facts({ recipients, shares }));
    expect(plan.waiting).to.deep.equal([]);
    expect(plan.sol.parts.creator).to.equal(1_000_000n);
  });

  it('takes an amount that leaves each recipient at rent exemption exactly, and none that leaves it a lamport below', () => {
    const shares = { burnBps: 0, holdersBps: 2_000, lpBps: 3_000 };
    const parts = { treasury: 200_000n, lp: 300_000n, creator: 500_000n };
    for (const name of ['treasury', 'lp', 'creator'] as const) {
      for (const short of [0n, 1n]) {
        const recipients = {
          treasury: recipient(),
          lp: recipient(),
          creator: recipient(),
          [name]: recipient({ lamports: 890_880n - parts[name] - short }),
        };
        const { sol, waiting } = planSettlement(facts({ shares, recipients }));
        const waits = name !== 'creator' && short > 0n;
        expect(sol.taken, name).to.equal(waits ? 0n : 1_000_000n);
        expect(waiting, name).to.have.length(waits ? 1 : 0);
        expect(sol.creatorCredited, name).to.equal(name === 'creator' && short > 0n ? 500_000n : 0n);
      }
    }
  });

  it("adds the creator's credited part to what the treasury must bear", () => {
    const shares = { burnBps: 0, holdersBps: 2_000, lpBps: 0 };
    const creator = recipient({ lamports: 0n });
    for (const [lamports, taken] of [
      [1_000_000n, 1_000_000n],
      [999_999n, 0n],
    ] as const) {
      const recipients = { treasury: recipient({ lamports }), lp: undefined, creator };
      const plan = planSettlement(facts({ shares, recipients, rentMinimum: 2_000_000n }));
      expect(plan.sol.taken).to.equal(taken);
    }
  });

  it('does not check the rent of a recipient that gets nothing', () => {
    const poor = recipient({ lamports: 0n });
    const shares = { burnBps: 0, holdersBps: 0, lpBps: 0 };
    const plan = planSettlement(
      facts({ shares, recipients: { treasury: poor, lp: poor, creator: recipient() } }),
    );
    expect(plan.sol.taken).to.equal(1_000_000n);
    const all = { burnBps: 0, holdersBps: 10_000, lpBps: 0 };
    const ofHolders = planSettlement(
      facts({ shares: all, recipients: { treasury: recipient(), lp: poor, creator: poor } }),
    );
    expect([ofHolders.sol.taken, ofHolders.sol.creatorCredited]).to.deep.equal([1_000_000n, 0n]);
  });

  it('waits while the token account of the treasury or the LP address belongs to somebody else', () => {
    for (const [name, called] of [
      ['treasury', 'treasury'],
      ['lp', 'LP address'],
    ] as const) {
      const theirs = recipient({ tokenAccount: 'foreign' });
      const recipients = { treasury: recipient(), lp: recipient(), creator: recipient(), [name]: theirs };
      const plan = planSettlement(facts({ recipients }));
      expect(plan.token.taken).to.equal(0n);
      expect(plan.sol.taken).to.equal(1_000_000n);
      expect(plan.waiting).to.deep.equal([
        `the token account of the ${called} ${theirs.address.toBase58()} belongs to somebody else: take it back`,
      ]);
      // Whose account it is does not matter to an address that gets no tokens.
      const shares = { burnBps: 1_000, holdersBps: 0, lpBps: 0 };
      expect(planSettlement(facts({ recipients, shares })).token.taken).to.equal(1_000_000n);
    }
  });

  it("opens the creator's token account only for tokens that go there", () => {
    const opens = (tokenAccount: Recipient['tokenAccount'], changes: Partial<PlanFacts> = {}): boolean => {
      const creator = recipient({ tokenAccount });
      return planSettlement(
        facts({ recipients: { treasury: recipient(), lp: recipient(), creator }, ...changes }),
      ).opensCreatorAccount;
    };
    expect(opens('missing')).to.equal(true);
    expect(opens('open')).to.equal(false);
    expect(opens('foreign')).to.equal(false);
    expect(opens('missing', { mayOpenCreatorAccount: false })).to.equal(false);
    expect(opens('missing', { shares: { burnBps: 5_000, holdersBps: 5_000, lpBps: 0 } })).to.equal(false);
    expect(opens('missing', { holds: { sol: 1_000_000n, token: 0n } })).to.equal(false);
  });

  it('is empty only when it takes nothing from either storage', () => {
    const empty = (sol: bigint, token: bigint) => isEmpty(planSettlement(facts({ holds: { sol, token } })));
    expect([empty(0n, 0n), empty(1n, 0n), empty(0n, 1n)]).to.deep.equal([true, false, false]);
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
  before(async () => {
    node = await startAccountsNode();
  });
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

  const own = accountOf(creator);
  for (const [what, account, state] of [
    ['belongs to another wallet', accountOf(other), 'foreign'],
    ['is frozen', accountOf(creator, 2), 'foreign'],
    ['is of another size', { ...own, data: Buffer.alloc(170) }, 'foreign'],
    ['only has lamports', { ...own, program: SystemProgram.programId }, 'missing'],
  ] as const)
    it(`have a ${state} token account when it ${what}`, async () => {
      hold(creator, 3n, account);
      expect((await read()).creator.tokenAccount).to.equal(state);
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
