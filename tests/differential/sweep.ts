// Tests every call with every single alteration, and trades and migrations in every state of a curve. The player's random
// steps (tests/fuzz) reach these cases only by chance.
import { GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openArena, SETTINGS, USUAL_RENT_PER_BYTE, type Arena } from './arena.js';
import type { Tally } from './outcomes.js';
import { Difference, type Pair } from './pair.js';
import { play, SOLD, type Played } from './play.js';
import { NEAR_MISSES, RENT_THRESHOLDS, type Alteration, type CallStep, type Step } from './steps.js';

const TRADER = 0;
/** Its place among the wallets of an arena. */
const FEE_RECEIVER = 3;
/** No token of the arena has this index. */
const TOKEN_TO_CREATE = 2;
const right = { called: false, token: 0 } as const;

function buy(amount: bigint): CallStep {
  return { ...right, is: 'buyToken', trader: TRADER, amount };
}
const SELL: CallStep = { ...right, is: 'sellToken', trader: TRADER, amount: SOLD };
const SPENT = 10n ** 9n;
/** More than all tokens of a curve cost. */
const ENOUGH = 10n ** 11n;

/** The steps from a new curve to each state, with a trader that holds some tokens. */
const STATES: Readonly<Record<'trading' | 'finalized' | 'migrated', readonly Step[]>> = (() => {
  const trading: Step[] = [
    { is: 'set balance', of: TRADER, lamports: 10n ** 12n },
    { is: 'renew', token: 0 },
    buy(10n * SPENT),
  ];
  const finalized: Step[] = [...trading, buy(ENOUGH)];
  return { trading, finalized, migrated: [...finalized, { ...right, is: 'migrate' }] };
})();

/** A sequence of steps with different results on the two builds. */
export interface Finding {
  readonly seed: number;
  readonly steps: readonly Step[];
}

interface Subject {
  readonly step: CallStep;
  readonly accounts: number;
  /** Length of its data. */
  readonly bytes: number;
}

const HOT: readonly Subject[] = [
  { step: buy(SPENT), accounts: 11, bytes: 26 },
  { step: SELL, accounts: 10, bytes: 26 },
  { step: { ...right, is: 'migrate' }, accounts: 6, bytes: 9 },
  { step: { ...right, is: 'validateLogRecord' }, accounts: 1, bytes: 9 },
];

/** Instructions that both builds handle with Anchor. The shipped build reaches them through its own entry point. */
const OTHERS: readonly Subject[] = [
  { step: { ...right, is: 'createToken', token: TOKEN_TO_CREATE }, accounts: 17, bytes: 83 },
  { step: { ...right, is: 'adminSetProperties' }, accounts: 4, bytes: 27 },
];

/** The calls by curve state, and once by CPI. Instructions that change the settings come last. */
const SUBJECTS: readonly (readonly [state: keyof typeof STATES, subjects: readonly Subject[]])[] = [
  ['trading', HOT],
  ['finalized', HOT],
  ['migrated', HOT],
  ['trading', HOT.map((subject) => ({ ...subject, step: { ...subject.step, called: true } }))],
  ['trading', OTHERS],
];

/** Memory of the machines is freed only when the event loop turns. */
const STEPS_PER_TURN = 50;

interface Opened {
  readonly pair: Pair;
  readonly arena: Arena;
  readonly tally: Tally;
}

/** Runs all calls until the program and the oracle differ. @param seed the addresses are derived from it */
export async function sweep(
  lab: Lab,
  { seed, tally }: { readonly seed: number; readonly tally: Tally },
): Promise<Finding | undefined> {
  const opened = open(lab, seed);
  const steps = opened === undefined ? [] : await differenceIn({ ...opened, tally });
  return steps && { seed, steps };
}

/** The steps at whose end the builds differ. */
async function differenceIn(opened: Opened): Promise<readonly Step[] | undefined> {
  const [first, ...others] = SUBJECTS;
  // The impossible states come early, because they are few: a program that is wrong only there is found in seconds.
  const early = (await differingCall(opened, first!)) ?? differingState(opened);
  if (early !== undefined) return early;
  for (const each of others) {
    const steps = await differingCall(opened, each);
    if (steps !== undefined) return steps;
  }
  return undefined;
}

async function differingCall(
  { pair, arena, tally }: Opened,
  [state, subjects]: (typeof SUBJECTS)[number],
): Promise<readonly Step[] | undefined> {
  const prepare = STATES[state];
  for (const call of subjects) {
    let ready = false;
    for (const alteration of alterationsOf(call, arena)) {
      if (tally.steps % STEPS_PER_TURN === 0) await nextTurn();
      const step = { ...call.step, alteration };
      try {
        if (!ready) for (const each of prepare) tally.add(play(pair, arena, each));
        const played = play(pair, arena, step);
        tally.add(played);
        // Most calls fail and change nothing, so the next call needs no preparation.
        ready = !played.result.startsWith('success');
      } catch {
        return [...prepare, step];
      }
    }
  }
  return undefined;
}

function differingState({ pair, arena, tally }: Opened): readonly Step[] | undefined {
  for (const steps of [...impossibleCurves(), ...curvesAtTheirRent(), ...frozenAccounts()]) {
    try {
      for (const step of steps) tally.add(play(pair, arena, step));
    } catch {
      return steps;
    }
  }
  return undefined;
}

/** Undefined when the builds differ while the arena is opened. */
function open(lab: Lab, seed: number): ReturnType<Lab['open']> | undefined {
  try {
    return lab.open(seed);
  } catch (error) {
    if (error instanceof Difference) return undefined;
    throw error;
  }
}

const TRADES_AND_MIGRATION: readonly CallStep[] = [buy(SPENT), SELL, { ...right, is: 'migrate' }];

/** States that no instruction produces. Both builds must still give the same result in them. */
function* impossibleCurves(): Generator<Step[]> {
  for (const initialized of [0, 1, 2, 3, 4]) {
    for (const above of [-(10n ** 13n), -1n, 0n, 1n, 10n ** 14n]) {
      for (const virtualSol of [0n, 1n, SETTINGS.initialVirtualSol]) {
        const state = { initialized, virtualSol, virtualToken: GRADUATION_VIRTUAL_TOKEN + above };
        for (const call of TRADES_AND_MIGRATION) {
          yield [...STATES.trading, { is: 'set curve', token: 0, state }, call];
        }
      }
    }
  }
}

/** Curves just below, at and just above their rent, before and after a sell, at several rents. */
function* curvesAtTheirRent(): Generator<Step[]> {
  for (const threshold of RENT_THRESHOLDS) {
    for (const lamportsPerByte of [0n, USUAL_RENT_PER_BYTE]) {
      for (const [call, state] of [
        [SELL, STATES.trading],
        [{ ...right, is: 'migrate' }, STATES.finalized],
      ] as const) {
        for (const sells of [true, false]) {
          for (const off of [-1n, 0n, 1n]) {
            yield [
              ...state,
              { is: 'set rent', lamportsPerByte, threshold },
              { is: 'set curve balance', token: 0, sells, off },
              call,
              { is: 'set rent', lamportsPerByte: USUAL_RENT_PER_BYTE, threshold: 1 },
            ];
          }
        }
      }
    }
  }
}

/** Calls that move tokens into or out of a frozen account. Random steps freeze the fee receiver's before a migration by chance. */
function* frozenAccounts(): Generator<Step[]> {
  for (const [call, state, of] of [
    [buy(SPENT), STATES.trading, TRADER],
    [SELL, STATES.trading, TRADER],
    [{ ...right, is: 'migrate' }, STATES.finalized, FEE_RECEIVER],
  ] as const) {
    const account = { is: 'set token account', token: 0, of } as const;
    yield [...state, { ...account, to: 'frozen' }, call, { ...account, to: 'open' }];
  }
}

function* alterationsOf({ accounts, bytes }: Subject, { pool }: Arena): Generator<Alteration | undefined> {
  yield undefined;
  for (let account = 0; account < accounts; account += 1) {
    for (const byte of NEAR_MISSES) yield { is: 'near miss', account, byte };
  }
  yield { is: 'other deployment' };
  for (let account = 0; account < accounts; account += 1) {
    for (let by = 0; by < pool.length; by += 1) yield { is: 'substitute', account, by };
    for (let of = 0; of < accounts; of += 1) yield { is: 'duplicate', account, of };
    for (const on of [false, true]) {
      yield { is: 'signer', account, on };
      yield { is: 'writable', account, on };
    }
    yield { is: 'fewer accounts', left: account };
  }
  for (let by = 0; by < pool.length; by += 1) yield { is: 'more accounts', by };
  for (let at = 0; at < bytes; at += 1) {
    yield { is: 'shorter data', left: at };
    for (const flip of [0x01, 0x80, 0xff]) yield { is: 'other byte', at, flip };
  }
  for (const size of [1, 8, 1_000]) yield { is: 'longer data', bytes: new Uint8Array(size).fill(size) };
}

/** The result of a sequence of steps, which ends at the first difference. */
interface Run {
  readonly played: readonly Played[];
  /** The difference between the builds, in the step after the last of `played`. */
  readonly difference?: Error;
}

export class Lab {
  readonly #pair: Pair;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** Opens an arena in reset machines. @throws Difference when the builds differ while it is opened */
  open(seed: number): { readonly pair: Pair; readonly arena: Arena } {
    this.#pair.reset();
    return { pair: this.#pair, arena: openArena(this.#pair, seed) };
  }

  /** Resets the machines for another lab. */
  close(): void {
    this.#pair.reset();
  }

  /** Executes the steps in a new arena. */
  run(seed: number, steps: readonly Step[]): Run {
    const played: Played[] = [];
    try {
      const { pair, arena } = this.open(seed);
      for (const step of steps) played.push(play(pair, arena, step));
      return { played };
    } catch (difference) {
      return { played, difference: difference as Error };
    }
  }
}

/** The steps of a finding, and the difference at their end. */
export function explain(lab: Lab, { seed, steps }: Finding): string {
  const { played, difference } = lab.run(seed, steps);
  const lines = played.map(({ what, result }, index) => `  ${index + 1}. ${what}\n     ${result}`);
  const end = difference === undefined ? 'no difference when taken again' : difference.message;
  return [
    `The two builds differ. The steps, in the arena of seed ${seed}:`,
    ...lines,
    `  ${played.length + 1}. ${end}`,
  ].join('\n');
}
