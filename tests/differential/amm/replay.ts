// Trades as quoted, and as the AMM's binary makes them: the two must not differ in one unit.
import type { PoolSide, PoolState, PoolTrade } from '@curvekit/sdk';
import { randomStream, type Random } from '../../../scripts/random.js';
import type { Call } from '../call.js';
import type { Svm } from '../svm.js';
import { ChainPool } from './chain-pool.js';
import { randomOrder, randomPool, type Order } from './random-pools.js';

/** What is quoted with: the SDK's maths, or a mutant of it. */
export interface Maths {
  readonly exactIn: (pool: PoolState, input: PoolSide, amountIn: bigint) => PoolTrade<PoolState>;
  readonly leastIn: (pool: PoolState, input: PoolSide, amountOut: bigint) => bigint | undefined;
}

export interface Replay {
  readonly svm: Svm;
  readonly maths: Maths;
  readonly creatorFees: boolean;
  readonly seed: number;
  /** How many trades. */
  readonly trades: number;
}

/** How many of the trades were of each kind. */
export type Kinds = ReadonlyMap<string, number>;

/** Trades of one transaction: what is set up for them weighs more than they do. */
const IN_A_TRANSACTION = 16;
/** The AMM itself would overflow. */
const MOST_IN = 1n << 61n;
const RATE_WHOLE = 1_000_000n;

interface Expected {
  readonly paid: bigint;
  readonly received: bigint;
  readonly after: PoolState;
}

interface Quoted extends Order, Expected {}

/** @returns the first difference, in words; undefined where there is none */
export function replay({ svm, maths, creatorFees, seed, trades }: Replay): {
  readonly difference: string | undefined;
  readonly kinds: Kinds;
} {
  const kinds = new Map<string, number>();
  for (let done = 0, stream = 0; done < trades; stream += 1) {
    const random = randomStream(seed, stream);
    const pool = randomPool(random, creatorFees);
    const quoted = quotes(maths, random, pool.state, Math.min(IN_A_TRANSACTION, trades - done));
    if (quoted.length === 0) continue;
    const chain = new ChainPool(svm, pool);
    const { error, calls } = chain.send(quoted.map((trade) => callOf(chain, trade)));
    const actual = error ?? { moved: calls.map(transferred), pool: chain.read() };
    const expected = {
      moved: quoted.flatMap(({ paid, received }) => [paid, received]),
      pool: quoted.at(-1)!.after,
    };
    if (show(actual) !== show(expected)) {
      const difference = { seed, stream, pool, quoted, actual };
      return { difference: show(difference), kinds };
    }
    for (const { input, exact } of quoted) {
      const { creatorFeeRate, creatorFeeSide } = pool.state;
      const creator = creatorFeeRate === 0n ? 'none' : creatorFeeSide;
      const kind = `exact ${exact} of ${input}, ${pool.tokenFirst ? 'token first' : 'token second'}, creator fee: ${creator}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    done += quoted.length;
  }
  return { difference: undefined, kinds };
}

/** Trades one after the other, each with the pool that the one before it leaves. */
function quotes(maths: Maths, random: Random, pool: PoolState, count: number): readonly Quoted[] {
  const quoted: Quoted[] = [];
  let state = pool;
  for (let attempt = 0; attempt < 3 * count && quoted.length < count; attempt += 1) {
    const order = randomOrder(random, state);
    const expected = quote(maths, state, order);
    if (expected === undefined) continue;
    quoted.push({ ...order, ...expected });
    state = expected.after;
  }
  return quoted;
}

/** Undefined for what the AMM refuses. */
function quote(maths: Maths, pool: PoolState, { input, exact, amount }: Order): Expected | undefined {
  const paid = exact === 'in' ? amount : maths.leastIn(pool, input, amount);
  if (paid === undefined || paid > MOST_IN || pool[input] + paid > MOST_IN) return undefined;
  const { amountOut, after } = maths.exactIn(pool, input, paid);
  if (amountOut === 0n) return undefined;
  if (exact === 'in') return { paid, received: amountOut, after };
  const output = input === 'sol' ? 'token' : 'sol';
  const traded = withCreatorFee(pool, output, amount);
  const left = pool[output] - traded;
  // The build of 2025-02 refuses to round less than half a unit of input up to one. It takes the same trade as exact in.
  if (2n * pool[input] * traded < left) return undefined;
  // The least input may yield more than was asked for: with an exact output, the pool keeps that.
  return { paid, received: amount, after: { ...after, [output]: left } };
}

function withCreatorFee(pool: PoolState, output: PoolSide, amount: bigint): bigint {
  if (pool.creatorFeeSide !== output) return amount;
  const kept = RATE_WHOLE - pool.creatorFeeRate;
  return (amount * RATE_WHOLE + kept - 1n) / kept;
}

/** With the quote as the limit: one unit less, or more, and the AMM refuses. */
function callOf(chain: ChainPool, { exact, input, amount, paid, received }: Quoted): Call {
  return chain.swap(exact, input, amount, exact === 'in' ? received : paid);
}

/** The amount of a `transferChecked` that a program has called. */
function transferred(call: string): bigint {
  const data = Buffer.from(call.split(' ').at(-1)!, 'hex');
  return data.readBigUInt64LE(1);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}` : field));
}
