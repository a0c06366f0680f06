// Tests the order of checks in programs/bonding-curve/src/checks/mod.rs: when a call has two faults, the program
// reports the one that the order lists first. Then what only several wrong accounts together could be worth to an attacker.
// threat: curve-as-payer, cheaper-properties, second-vault, foreign-curve, curve-at-another-nonce, fees-to-another
// threat: early-migration
import { GRADUATION_VIRTUAL_TOKEN, STATUS_FINALIZED, STATUS_TRADING } from '@curvekit/sdk';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { testedFiles } from '../fuzz/files.js';
import { RELAYER } from '../fuzz/keys.js';
import { World } from '../fuzz/world.js';
import { compile, type Call, type Key, type Meta } from './call.js';
import { machineOf, OTHER_DEPLOYMENT, programsBeside } from './programs.js';
import { Scene, type Instruction } from './scene.js';

/** The steps of the order of checks, by number. */
type StepOfOrder = 1 | 2 | 3 | 4 | 5 | 6 | 7;
/** Adds the fault to the call, or to the accounts. */
type Make = (call: Call, scene: Scene) => Call;
type Fault = readonly [step: StepOfOrder, what: string, error: string, make: Make];

const MATCH = '6000 BondingCurveDoesNotMatchMint';
const LOGICAL = '6005 LogicalError';
const OTHER_ADDRESS = '2012 ConstraintAddress';
const account =
  (index: number, change: (scene: Scene, call: Call) => Partial<Meta>): Make =>
  (call, scene) => ({
    ...call,
    metas: call.metas.map((meta, at) => (at === index ? { ...meta, ...change(scene, call) } : meta)),
  });
const key = (index: number, of: (scene: Scene) => Key): Make =>
  account(index, (scene) => ({ key: of(scene) }));
const named = (name: string) => (scene: Scene) => scene.wrong.get(name)!;
const bytes =
  (at: number, ...value: readonly number[]): Make =>
  (call) => {
    const data = Uint8Array.from(call.data);
    data.set(value, at);
    return { ...call, data };
  };
const u64 = (at: number, value: bigint): Make => {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(value);
  return bytes(at, ...data);
};
const otherBump: Make = (call, scene) => bytes(8, call.data[8]! ^ 1)(call, scene);
const curve =
  (initialized: number, virtualToken: bigint): Make =>
  (call, scene) => {
    scene.setCurve({ initialized, virtualSol: 10n ** 11n, virtualToken });
    return call;
  };

const elsewhere: Make = (call) => ({ ...call, program: OTHER_DEPLOYMENT });
const shorter: Make = (call) => ({ ...call, data: call.data.slice(0, 8) });
const fewer: Make = (call) => ({ ...call, metas: call.metas.slice(0, -1) });

/** @param signer its index. @param step where Anchor notices that an account is missing */
const ofAnyCall = (signer: number, step: StepOfOrder = 1): readonly Fault[] => [
  [1, 'another deployment', '4100 DeclaredProgramIdMismatch', elsewhere],
  [2, 'no signature', '3010 AccountNotSigner', account(signer, () => ({ isSigner: false }))],
  [1, 'too few arguments', '102 InstructionDidNotDeserialize', shorter],
  [step, 'an account too few', '3005 AccountNotEnoughKeys', fewer],
];
const wrong = (error: string, index: number, what: string): Fault => {
  const name = error === OTHER_ADDRESS ? what : 'another program';
  return [2, `${name} as account ${index}`, error, key(index, named(what))];
};
const program = (index: number) => wrong('3008 InvalidProgramId', index, 'wallet');
const address = (index: number, what = 'wallet') => wrong(OTHER_ADDRESS, index, what);
/** The indexes of the accounts that a trade and a migration have in common. */
interface CurveAccounts {
  readonly mint: number;
  readonly curve: number;
  readonly vault: number;
  readonly feeReceiver: number;
  readonly tokens: number;
}
const ofCurve = (at: CurveAccounts, otherTokens: string): readonly Fault[] => [
  [3, "another token's mint", MATCH, key(at.mint, named('other mint'))],
  [3, "another token's curve", MATCH, key(at.curve, named('other curve'))],
  [3, 'a second account of the curve', MATCH, key(at.vault, named("curve's second account"))],
  [3, 'another nonce', MATCH, otherBump],
  [4, 'another fee receiver', '6004 WrongFeeReceiver', key(at.feeReceiver, named('wallet'))],
  [5, "another's tokens", '2015 ConstraintTokenOwner', key(at.tokens, named('tokens of trader 1'))],
  [5, 'no token account', '3012 AccountNotInitialized', key(at.tokens, named('nothing'))],
  [5, 'tokens of another mint', '2014 ConstraintTokenMint', key(at.tokens, named(otherTokens))],
];
const ofTrade: readonly Fault[] = [
  [6, 'a graduated curve', '6001 TradingClosed', curve(STATUS_FINALIZED, GRADUATION_VIRTUAL_TOKEN)],
  [7, 'an amount of zero', LOGICAL, u64(9, 0n)],
  [7, 'too high a minimum', '6003 SlippageError', u64(17, 2n ** 64n - 1n)],
];

/** The URI is the first text: a 4-byte length at offset 9, then its bytes. */
const withoutUri: Make = (call) => {
  const { data } = call;
  const uri = Buffer.from(data).readUInt32LE(9);
  return { ...call, data: Buffer.concat([data.slice(0, 9), Buffer.alloc(4), data.slice(13 + uri)]) };
};

const BUY = { mint: 4, curve: 3, vault: 5, feeReceiver: 7, tokens: 6 };
const SELL = { mint: 3, curve: 2, vault: 4, feeReceiver: 6, tokens: 5 };
const MIGRATE = { mint: 0, curve: 2, vault: 4, feeReceiver: 3, tokens: 5 };

const SUBJECTS: Readonly<Record<Instruction, readonly Fault[]>> = {
  buyToken: [
    ...ofAnyCall(0),
    ...[1, 2].map(program),
    ...[address(8, 'copy of the settings'), address(9), address(10)],
    ...ofCurve(BUY, 'other tokens of trader 0'),
    ...ofTrade,
  ],
  sellToken: [
    ...ofAnyCall(0),
    program(1),
    ...[address(7), address(8, 'copy of the settings'), address(9)],
    ...ofCurve(SELL, 'other tokens of trader 0'),
    ...ofTrade,
  ],
  migrate: [
    ...ofAnyCall(3),
    program(1),
    ...ofCurve(MIGRATE, 'other tokens of the fee receiver'),
    [
      6,
      'a curve that trades',
      '6002 NotReadyToMigrate',
      curve(STATUS_TRADING, GRADUATION_VIRTUAL_TOKEN + 1n),
    ],
  ],
  createToken: [
    ...ofAnyCall(1, 2),
    ...[2, 3, 4, 8].map(program),
    ...[13, 14, 15, 16].map((index) => address(index)),
    [2, 'a payer that is the curve', LOGICAL, account(1, (_, call) => ({ key: call.metas[6]!.key }))],
    [3, "another token's curve", MATCH, key(6, named('curve of another nonce'))],
    [3, 'another vault', MATCH, key(7, named('wallet'))],
    [3, 'another nonce', MATCH, otherBump],
    [7, 'an empty uri', LOGICAL, withoutUri],
  ],
  validateLogRecord: [...ofAnyCall(0), address(0), [7, 'another bump', LOGICAL, otherBump]],
  adminSetProperties: [
    ...ofAnyCall(0, 2),
    program(2),
    ...[0, 1].map((index) => address(index)),
    [7, 'no virtual SOL', LOGICAL, u64(8, 0n)],
  ],
};

type Role = keyof CurveAccounts;
type Together = readonly [
  what: string,
  error: string,
  Partial<Record<Role, string>>,
  nonce?: 'other' | 'not canonical',
];
const OWN_OF_OTHER = { mint: 'other mint', vault: "curve's tokens of the other mint", tokens: 'other' };
/** Accounts that match each other, but not the rest. */
const TOGETHER: readonly Together[] = [
  ['curve and its nonce', MATCH, { curve: 'other curve' }, 'other'],
  ['curve, vault and nonce', MATCH, { curve: 'other curve', vault: 'other vault' }, 'other'],
  [
    'mint, curve, vault and nonce',
    '2014 ConstraintTokenMint',
    { mint: 'other mint', curve: 'other curve', vault: 'other vault' },
    'other',
  ],
  ['mint and tokens', MATCH, { mint: 'other mint', tokens: 'other' }],
  ['mint, vault and tokens', MATCH, { mint: 'other mint', vault: 'other vault', tokens: 'other' }],
  // Only the mint and the curve do not match: an attacker would sell cheap tokens at the price of expensive ones.
  ["mint, the curve's own tokens of it, and tokens", MATCH, OWN_OF_OTHER],
  ["mint, the curve's own tokens of it, tokens, and nonce", MATCH, OWN_OF_OTHER, 'other'],
  [
    'curve at another nonce, with that nonce',
    '3012 AccountNotInitialized',
    { curve: 'curve of another nonce' },
    'not canonical',
  ],
];

describe('the order of checks', function () {
  this.timeout(600_000);
  let scene: Scene;

  before(async () => {
    const beside = await programsBeside((line) => console.error(`      ${line}`));
    scene = new Scene(new World([machineOf(readFileSync(testedFiles().curve), beside)], true, true));
  });

  /** The error as a client of Anchor reads it. */
  function resultOf(name: Instruction, ...faults: readonly Make[]): string {
    const { world } = scene;
    const right = scene.call(name);
    return world.undoing([RELAYER, scene.own.curve, ...right.metas.map(({ key }) => key)], () => {
      if (name === 'sellToken') scene.setCurve({}, 10n ** 12n);
      if (name === 'migrate') curve(STATUS_FINALIZED, GRADUATION_VIRTUAL_TOKEN)(right, scene);
      let call = right;
      for (const make of faults) call = make(call, scene);
      const { error, explained } = world.undoing(
        call.metas.map(({ key }) => key),
        () => world.observe(compile([call], RELAYER)),
      );
      const [, named, number] = /Error Code: (\w+)\. Error Number: (\d+)/.exec(explained?.error ?? '') ?? [];
      return number === undefined ? (error ?? 'success') : `${number} ${named}`;
    });
  }

  for (const [name, faults] of Object.entries(SUBJECTS) as [Instruction, readonly Fault[]][]) {
    describe(name, () => {
      it('Given no fault, when it is called, then it succeeds', () => {
        expect(resultOf(name)).to.equal('success');
      });

      for (const [step, what, error, make] of faults)
        it(`Given ${what}, alone or with any later fault, when it is called, then it fails with ${error}`, () => {
          expect(resultOf(name, make)).to.equal(error);
          for (const [later, and, , made] of faults)
            if (later > step) expect(resultOf(name, made, make), `with ${and}`).to.equal(error);
        });
    });
  }

  for (const [name, at] of Object.entries({ buyToken: BUY, sellToken: SELL, migrate: MIGRATE })) {
    for (const [what, error, roles, nonce] of TOGETHER)
      it(`Given another token's ${what}, when ${name} is called, then it fails with ${error}`, () => {
        const tokens = name === 'migrate' ? 'other tokens of the fee receiver' : 'other tokens of trader 0';
        const faults = Object.entries(roles).map(([role, which]) =>
          key(at[role as Role], named(role === 'tokens' ? tokens : which)),
        );
        const { own, other } = scene;
        const bump =
          nonce === 'other' ? other.addressed.curve.bump : nonCanonicalCurve(own.addressed.mint).bump;
        if (nonce !== undefined) faults.push(bytes(8, bump));
        expect(resultOf(name as Instruction, ...faults)).to.equal(error);
      });
  }
});
