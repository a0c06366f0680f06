// The possible faults of a call. Each names the step of the order of checks that detects it, and the expected error.
import { GRADUATION_VIRTUAL_TOKEN, STATUS_FINALIZED } from '@curvekit/sdk';
import { OTHER_DEPLOYMENT, type Arena } from './arena.js';
import { keyOf, type Call, type Key, type Meta } from './call.js';
import type { Pair } from './pair.js';
import { changeCurve, withReserves } from './play.js';
import type { Instruction } from './steps.js';

/** The steps of the order of checks, by number. */
export type StepOfOrder = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface Fault {
  readonly step: StepOfOrder;
  readonly what: string;
  readonly error: string;
  /** Adds the fault to the call, or to the accounts. */
  readonly make: (call: Call, world: World) => Call;
}

export interface World {
  readonly pair: Pair;
  readonly arena: Arena;
}

export interface Subject {
  readonly name: Instruction;
  /** The call without a fault. */
  readonly right: (world: World) => Call;
  readonly faults: readonly Fault[];
}

export const MATCH = '6000 BondingCurveDoesNotMatchMint';

export const account =
  (index: number, change: (world: World) => Partial<Meta>) => (call: Call, world: World) => ({
    ...call,
    metas: call.metas.map((meta, at) => (at === index ? { ...meta, ...change(world) } : meta)),
  });
export const key = (index: number, of: (world: World) => Key) =>
  account(index, (world) => ({ key: of(world) }));
export const named = (name: string) => (world: World) => world.arena.pool.find(([each]) => each === name)![1];
export const bytes = (at: number, value: Uint8Array) => (call: Call) => {
  const data = Uint8Array.from(call.data);
  data.set(value, at);
  return { ...call, data };
};
export const u64 = (value: bigint) => {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(value);
  return data;
};
export const state =
  (initialized: number, virtualToken: bigint) =>
  (call: Call, { pair, arena }: World) => {
    changeCurve(pair, arena.tokens[0], (curve) =>
      withReserves(curve, { initialized, virtualSol: 10n ** 11n, virtualToken }),
    );
    return call;
  };

export function fault(step: StepOfOrder, what: string, error: string, make: Fault['make']): Fault {
  return { step, what, error, make };
}

/** Faults of any call: its program and its signer. */
export const callFaults = (signer: number): readonly Fault[] => [
  fault(1, 'another deployment', '4100 DeclaredProgramIdMismatch', (call) => ({
    ...call,
    program: OTHER_DEPLOYMENT,
  })),
  fault(
    2,
    'no signature',
    '3010 AccountNotSigner',
    account(signer, () => ({ isSigner: false })),
  ),
];
/** @param step where Anchor notices a missing account: it counts the accounts while it reads them */
export const missing = (count: number, step: StepOfOrder = 1): readonly Fault[] => [
  fault(1, 'too few arguments', '102 InstructionDidNotDeserialize', (call) => ({
    ...call,
    data: call.data.slice(0, 8),
  })),
  fault(step, 'an account too few', '3005 AccountNotEnoughKeys', (call) => ({
    ...call,
    metas: call.metas.slice(0, count - 1),
  })),
];
export const program = (index: number) =>
  fault(2, `another program as account ${index}`, '3008 InvalidProgramId', key(index, named('wallet')));
export const address = (index: number) =>
  fault(2, `another address as account ${index}`, '2012 ConstraintAddress', key(index, named('wallet')));
export const copiedSettings = (index: number) =>
  fault(2, 'a copy of the settings', '2012 ConstraintAddress', key(index, named('copy of the settings')));

export function curveFaults(mint: number, curve: number, vault: number): readonly Fault[] {
  return [
    fault(
      3,
      "another token's mint",
      MATCH,
      key(mint, ({ arena }) => keyOf(arena.tokens[1].mint)),
    ),
    fault(
      3,
      "another token's curve",
      MATCH,
      key(curve, ({ arena }) => keyOf(arena.tokens[1].curve.address)),
    ),
    fault(3, 'a second account of the curve', MATCH, key(vault, named("curve's second account"))),
    fault(3, 'another nonce', MATCH, (call) => bytes(8, Uint8Array.of(call.data[8]! ^ 1))(call)),
  ];
}
export const feeReceiver = (index: number) =>
  fault(4, 'another fee receiver', '6004 WrongFeeReceiver', key(index, named('wallet')));
export const userTokens = (index: number): readonly Fault[] => [
  fault(
    5,
    "another's tokens",
    '2015 ConstraintTokenOwner',
    key(index, ({ arena }) => arena.tokens[0].held[1]!),
  ),
  fault(5, 'no token account', '3012 AccountNotInitialized', key(index, named('nothing'))),
];
export const otherTokens = (index: number, holder: number) =>
  fault(
    5,
    'tokens of another mint',
    '2014 ConstraintTokenMint',
    key(index, ({ arena }) => arena.tokens[1].held.at(holder)!),
  );
export const closed = fault(
  6,
  'a graduated curve',
  '6001 TradingClosed',
  state(STATUS_FINALIZED, GRADUATION_VIRTUAL_TOKEN),
);
export const tradeAmounts: readonly Fault[] = [
  fault(7, 'an amount of zero', '6005 LogicalError', bytes(9, u64(0n))),
  fault(7, 'too high a minimum', '6003 SlippageError', bytes(17, u64(2n ** 64n - 1n))),
];
