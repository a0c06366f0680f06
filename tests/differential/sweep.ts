// Tests every call with every single alteration, and trades and migrations in every state of a curve. The player's random
// steps (tests/fuzz) reach these cases only by chance.
import { decodeTokenOwnerData, GRADUATION_VIRTUAL_TOKEN, sellExactIn } from '@curvekit/sdk';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FEE_RECEIVER, RELAYER, TRADER_KEYS } from '../fuzz/keys.js';
import { Violation } from '../fuzz/state.js';
import { USUAL_SPEC } from '../fuzz/steps.js';
import { TOKEN, USUAL_RENT_PER_BYTE, type World } from '../fuzz/world.js';
import { compile, keyOf, type Call, type Key, type Meta } from './call.js';
import { OTHER_DEPLOYMENT, throughCaller } from './programs.js';
import { Scene, SOLD, type Instruction, type State } from './scene.js';
import { tokenAccount } from './token-account.js';

const HOT = ['buyToken', 'sellToken', 'migrate', 'validateLogRecord'] as const;
/** Both builds handle these with Anchor. The shipped build reaches them through its own entry point. */
const OTHERS = ['createToken', 'adminSetProperties'] as const;
/** The calls by curve state, and once by CPI. */
const CALLS: readonly (readonly [State, readonly Instruction[], through?: (call: Call) => Call])[] = [
  ['trading', HOT],
  ['trading', HOT, throughCaller],
  ['trading', OTHERS],
  ['finalized', HOT],
  ['migrated', HOT],
];
/** The first and last byte of each 8-byte word. */
const NEAR_MISSES = [8, 16, 24, 31, 0, 7, 15, 23] as const;
/** Years of rent for an exemption: 1 since SIMD-0194, 2 before. */
const RENT_THRESHOLDS = [1, 2, 0, 0.5] as const;
/** Memory of the machines is freed only when the event loop turns. */
const CALLS_PER_TURN = 50;
const CURVE_BYTES_WITH_OVERHEAD = 29 + 128;

interface Altered {
  readonly what: string;
  readonly call: Call;
  /** Changes accounts of the call. They are put back afterwards. */
  readonly put?: (world: World) => void;
}

/** Sends all calls. @returns those with a wrong account that succeeded. @throws Violation when the builds differ */
export async function sweep(world: World): Promise<ReadonlySet<string>> {
  const scene = new Scene(world);
  const accepted = new Set<string>();
  let calls = 0;
  for (const [index, [state, names, through = (call: Call) => call]] of CALLS.entries()) {
    scene.reach(state);
    for (const name of names) {
      const right = scene.call(name);
      const works = attempt(world, { what: '', call: through(right) }, false) === undefined;
      for (const altered of alterationsOf(right, scene)) {
        if (++calls % CALLS_PER_TURN === 0) await nextTurn();
        const what = `${state}: ${name} with ${altered.what}`;
        const error = attempt(world, { ...altered, what, call: through(altered.call) }, works);
        const substituted = /^account \d+ (is .*|but for a byte)/.exec(altered.what);
        if (error === undefined && substituted !== null) accepted.add(`${name}: ${substituted[0]}`);
      }
    }
    // States that no instruction produces come early, because they are few: what is wrong only there is found in seconds.
    if (index === 0)
      for (const altered of statesOf(scene)) {
        attempt(world, altered, true);
        world.setRent(USUAL_RENT_PER_BYTE);
      }
  }
  return accepted;
}

/** Sends a call to all builds, and undoes what it did. @returns the error */
function attempt(world: World, { what, call, put }: Altered, exact: boolean): string | undefined {
  return world.undoing([RELAYER, ...call.metas.map(({ key }) => key)], () => {
    put?.(world);
    try {
      return world.observe(compile([call], RELAYER), exact).error;
    } catch (error) {
      throw error instanceof Violation ? new Violation(`${what}: ${error.message}`) : error;
    }
  });
}

function* statesOf(scene: Scene): Generator<Altered> {
  const altered = (name: Instruction, what: string, put: (world: World) => void) => ({
    what: `${name}, ${what}`,
    call: scene.call(name),
    put,
  });
  const sold = { initialized: 2, virtualToken: GRADUATION_VIRTUAL_TOKEN } as const;
  for (const name of ['buyToken', 'sellToken', 'migrate'] as const) {
    for (const initialized of [0, 1, 2, 3, 4])
      for (const above of [-(10n ** 13n), -1n, 0n, 1n, 10n ** 14n])
        for (const virtualSol of [0n, 1n, USUAL_SPEC.virtualSol])
          yield altered(name, `curve ${initialized}, ${above}, ${virtualSol}`, () =>
            scene.setCurve({ initialized, virtualSol, virtualToken: GRADUATION_VIRTUAL_TOKEN + above }),
          );
    // A trader's account that is frozen, and a trade of the fee receiver.
    const [trader, fees] = [TRADER_KEYS[0]!, FEE_RECEIVER];
    const holders: readonly (readonly [owner: Key, account: Key, state: number])[] = [
      name === 'migrate' ? [fees, scene.ofFeeReceiver[0], 2] : [trader, scene.own.held[0]!, 2],
      [fees, scene.ofFeeReceiver[0], 1],
    ];
    for (const [owner, account, state] of holders) {
      const put = (world: World): void => {
        if (name === 'migrate') scene.setCurve(sold);
        const data = tokenAccount({ mint: scene.own.mint, owner, amount: SOLD, state });
        world.set(account, 10n ** 8n, TOKEN, data);
      };
      const what = `${name} with tokens in state ${state}`;
      yield { what, call: scene.call(name, owner, account), put };
    }
  }
  // Curves just below, at and just above their rent, before and after a sell, at several rents.
  const { virtualSol, virtualToken } = decodeTokenOwnerData(scene.world.account(scene.own.curve)!.data);
  const { gross } = sellExactIn(virtualSol, virtualToken, BigInt(USUAL_SPEC.feeBps), SOLD);
  for (const threshold of RENT_THRESHOLDS)
    for (const perByte of [0n, USUAL_RENT_PER_BYTE])
      for (const off of [-1n, 0n, 1n])
        for (const [name, change, paid] of [
          ['sellToken', {}, gross],
          ['sellToken', {}, 0n],
          ['migrate', sold, 0n],
        ] as const)
          yield altered(name, `rent ${perByte} · ${threshold}, ${off} lamports off`, (world) => {
            world.setRent(perByte, threshold);
            const rent = BigInt(CURVE_BYTES_WITH_OVERHEAD * Number(perByte) * threshold);
            const lamports = rent + paid + off;
            scene.setCurve(change, lamports < 0n ? 0n : lamports);
          });
}

function* alterationsOf(right: Call, { wrong }: Scene): Generator<Altered> {
  const { metas, data } = right;
  const withMeta = (at: number, change: Partial<Meta>): Call => ({
    ...right,
    metas: metas.map((meta, index) => (index === at ? { ...meta, ...change } : meta)),
  });
  yield { what: 'nothing wrong', call: right };
  yield { what: 'another deployment', call: { ...right, program: OTHER_DEPLOYMENT } };
  for (const [account, { key }] of metas.entries()) {
    for (const byte of NEAR_MISSES)
      yield { what: `account ${account} but for a byte (${byte})`, ...nearMiss(key, account, byte) };
    for (const [name, key] of wrong)
      if (key.hex !== metas[account]!.key.hex)
        yield { what: `account ${account} is ${name}`, call: withMeta(account, { key }) };
    for (const isSigner of [false, true])
      yield { what: `isSigner ${isSigner} of account ${account}`, call: withMeta(account, { isSigner }) };
    for (const isWritable of [false, true])
      yield {
        what: `isWritable ${isWritable} of account ${account}`,
        call: withMeta(account, { isWritable }),
      };
    yield { what: `${account} accounts`, call: { ...right, metas: metas.slice(0, account) } };
  }
  let odd = false;
  for (const [name, key] of wrong) {
    const more = { key, isSigner: false, isWritable: (odd = !odd) };
    yield { what: `${name} as one account more`, call: { ...right, metas: [...metas, more] } };
  }
  for (const [at, byte] of data.entries()) {
    yield { what: `${at} bytes`, call: { ...right, data: data.subarray(0, at) } };
    for (const flip of [0x01, 0x80, 0xff]) {
      const changed = Buffer.from(data);
      changed[at] = byte ^ flip;
      yield { what: `byte ${at} with ${flip} flipped`, call: { ...right, data: changed } };
    }
  }
  for (const size of [1, 8, 1_000])
    yield {
      what: `${size} bytes more`,
      call: { ...right, data: Buffer.concat([data, Buffer.alloc(size, size)]) },
    };

  /** A copy of the account at an address that differs in one bit of the byte. */
  function nearMiss(of: Key, account: number, byte: number): Omit<Altered, 'what'> {
    const key = keyOf(of.bytes.map((each, index) => (index === byte ? each ^ 1 : each)));
    const put = (world: World): void => {
      const { lamports, owner, data } = world.account(of) ?? {
        lamports: 0n,
        owner: TOKEN,
        data: new Uint8Array(),
      };
      world.set(key, lamports, owner, data);
    };
    return { call: withMeta(account, { key }), put };
  }
}
