// Every call with every single alteration, those of the hot path in every state of a curve: what random steps would meet by
// chance.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Arena, ArenaSpec } from './arena.js';
import type { Finding } from './explore.js';
import type { Lab } from './lab.js';
import type { Tally } from './outcomes.js';
import { play } from './play.js';
import type { Alteration, Amount, CallStep, Step } from './steps.js';

const TRADER = 0;
const AT_ANY_PRICE = { is: 'value', value: 0n } as const;
/** No token of the arena's has this number. */
const TOKEN_TO_CREATE = 2;
const right = { alterations: [], relayed: true, called: false, token: 0 } as const;

function buy(amount: Amount): CallStep {
  return {
    ...right,
    is: 'buyToken',
    trader: TRADER,
    amount,
    minimum: AT_ANY_PRICE,
  };
}

/** What brings a curve that is as it was created into each of its states, with a trader who holds some of the token. */
const STATES: Readonly<Record<'trading' | 'finalized' | 'migrated', readonly Step[]>> = (() => {
  const trading: Step[] = [
    { is: 'set balance', of: TRADER, lamports: 10n ** 12n },
    { is: 'renew', token: 0 },
    buy({ is: 'share', millionths: 10_000 }),
  ];
  const finalized: Step[] = [...trading, buy({ is: 'rest', off: 0n })];
  return { trading, finalized, migrated: [...finalized, { ...right, is: 'migrate' }] };
})();

interface Subject {
  readonly step: CallStep;
  readonly accounts: number;
  /** Of its data. */
  readonly bytes: number;
}

const HOT: readonly Subject[] = [
  { step: buy({ is: 'share', millionths: 1_000 }), accounts: 11, bytes: 26 },
  {
    step: {
      ...right,
      is: 'sellToken',
      trader: TRADER,
      amount: { is: 'share', millionths: 1_000 },
      minimum: AT_ANY_PRICE,
    },
    accounts: 10,
    bytes: 26,
  },
  { step: { ...right, is: 'migrate' }, accounts: 6, bytes: 9 },
  { step: { ...right, is: 'validateLogRecord' }, accounts: 1, bytes: 9 },
];

/** What is Anchor's in both builds, but behind an entry point of the shipped build's own. */
const OTHERS: readonly Subject[] = [
  {
    step: {
      ...right,
      is: 'createToken',
      token: TOKEN_TO_CREATE,
      text: [5, 4, 20],
      shares: [100, 1_000, 2_000, 3_000],
    },
    accounts: 17,
    bytes: 59,
  },
  {
    step: {
      ...right,
      is: 'adminSetProperties',
      virtualSol: 30_000_000_000n,
      virtualToken: 1_073_000_000_000_000n,
      feeBps: 100,
    },
    accounts: 4,
    bytes: 27,
  },
];

/** What is called in which state, and once by another program; last, where it does not matter, what changes the settings. */
const SUBJECTS: readonly (readonly [state: keyof typeof STATES, subjects: readonly Subject[]])[] = [
  ['migrated', HOT],
  ['finalized', HOT],
  ['trading', HOT.map((subject) => ({ ...subject, step: { ...subject.step, called: true } }))],
  ['trading', [...HOT, ...OTHERS]],
];

/** What the machines hand out is freed only when the event loop turns. */
const STEPS_PER_TURN = 50;

const SPEC: Omit<ArenaSpec, 'seed'> = {
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  feeBps: 100,
  traderLamports: 10n ** 12n,
  feeReceiverLamports: 10n ** 12n,
};

/** Takes them all, or as many as it takes until the builds differ. @param seed makes the addresses */
export async function sweep(
  lab: Lab,
  { seed, tally }: { readonly seed: number; readonly tally: Tally },
): Promise<Finding | undefined> {
  const spec = { ...SPEC, seed };
  const { pair, arena } = lab.open(spec);
  for (const [state, subjects] of SUBJECTS) {
    const prepare = STATES[state];
    for (const call of subjects) {
      let ready = false;
      for (const alteration of alterationsOf(call, arena)) {
        if (tally.steps % STEPS_PER_TURN === 0) await nextTurn();
        const step = { ...call.step, alterations: alteration };
        try {
          if (!ready) for (const each of prepare) tally.add(play(pair, arena, each));
          const played = play(pair, arena, step);
          tally.add(played);
          // Most fail, and leave everything as it is.
          ready = !played.result.startsWith('success');
        } catch {
          return { seed, spec, steps: [...prepare, step] };
        }
      }
    }
  }
  return undefined;
}

function* alterationsOf({ accounts, bytes }: Subject, { pool }: Arena): Generator<Alteration[]> {
  yield [];
  yield [{ is: 'other deployment' }];
  for (let account = 0; account < accounts; account += 1) {
    for (let by = 0; by < pool.length; by += 1) yield [{ is: 'substitute', account, by }];
    for (let of = 0; of < accounts; of += 1) yield [{ is: 'duplicate', account, of }];
    for (const on of [false, true]) {
      yield [{ is: 'signer', account, on }];
      yield [{ is: 'writable', account, on }];
    }
    yield [{ is: 'fewer accounts', left: account }];
  }
  for (let by = 0; by < pool.length; by += 1) yield [{ is: 'more accounts', by: [by] }];
  for (let at = 0; at < bytes; at += 1) {
    yield [{ is: 'shorter data', left: at }];
    for (const flip of [0x01, 0x80, 0xff]) yield [{ is: 'other byte', at, flip }];
  }
  for (const size of [1, 8, 1_000]) yield [{ is: 'longer data', bytes: new Uint8Array(size).fill(size) }];
}
