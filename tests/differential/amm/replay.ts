// Compares quoted trades with the AMM's binary, exactly to the base unit.
import { poolLeastIn, poolTrade, type PoolSide, type PoolState } from '@curvekit/sdk';
import { randomStream, type Random } from '../../../scripts/random.js';
import type { Call } from '../call.js';
import type { Svm } from '../svm.js';
import { ChainPool } from './chain-pool.js';
import { randomOrder, randomPool, type Order } from './random-pools.js';

interface Replay {
  readonly svm: Svm;
  readonly creatorFees: boolean;
  readonly seed: number;
  readonly trades: number;
}

type Kinds = ReadonlyMap<string, number>;

/** Trades per transaction. Several share the costly setup. */
const IN_A_TRANSACTION = 16;
/** Above this the AMM itself would overflow. */
const MOST_IN = 1n << 61n;
const RATE_WHOLE = 1_000_000n;

interface Expected {
  readonly paid: bigint;
  readonly received: bigint;
  readonly after: PoolState;
}

interface Quoted extends Order, Expected {}

/** @returns a description of the first difference, or undefined */
export function replay({ svm, creatorFees, seed, trades }: Replay): {
  readonly difference: string | undefined;
  readonly kinds: Kinds;
} {
  const kinds = new Map<string, number>();
  for (let done = 0, stream = 0; done < trades; stream += 1) {
    const random = randomStream(seed, stream);
    const pool = randomPool(random, creatorFees);
    const quoted = quotes(random, pool.state, Math.min(IN_A_TRANSACTION, trades - done));
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

/** Quotes consecutive trades, each with the pool state after the previous one. */
function quotes(random: Random, pool: PoolState, count: number): readonly Quoted[] {
  const quoted: Quoted[] = [];
  let state = pool;
  for (let attempt = 0; attempt < 3 * count && quoted.length < count; attempt += 1) {
    const order = randomOrder(random, state);
    const expected = quote(state, order);
    if (expected === undefined) continue;
    quoted.push({ ...order, ...expected });
    state = expected.after;
  }
  return quoted;
}

/** Undefined when the AMM would refuse the trade. */
function quote(pool: PoolState, { input, exact, amount }: Order): Expected | undefined {
  const paid = exact === 'in' ? amount : poolLeastIn(pool, input, amount);
  if (paid === undefined || paid > MOST_IN || pool[input] + paid > MOST_IN) return undefined;
  const { amountOut, after } = poolTrade(pool, input, paid);
  if (amountOut === 0n) return undefined;
  if (exact === 'in') return { paid, received: amountOut, after };
  const output = input === 'sol' ? 'token' : 'sol';
  const traded = withCreatorFee(pool, output, amount);
  const left = pool[output] - traded;
  // For exact out, the build of 2025-02 refuses an input that rounds up from less than half a base unit.
  if (2n * pool[input] * traded < left) return undefined;
  // The least input can yield more than the wanted amount. With exact output the pool keeps the excess.
  return { paid, received: amount, after: { ...after, [output]: left } };
}

function withCreatorFee(pool: PoolState, output: PoolSide, amount: bigint): bigint {
  if (pool.creatorFeeSide !== output) return amount;
  const kept = RATE_WHOLE - pool.creatorFeeRate;
  return (amount * RATE_WHOLE + kept - 1n) / kept;
}

/** The swap with the quote as its limit, so that the AMM refuses any worse result. */
function callOf(chain: ChainPool, { exact, input, amount, paid, received }: Quoted): Call {
  return chain.swap(exact, input, amount, exact === 'in' ? received : paid);
}

/** The amount of a `transferChecked` CPI. */
function transferred(call: string): bigint {
  const data = Buffer.from(call.split(' ').at(-1)!, 'hex');
  return data.readBigUInt64LE(1);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}` : field));
}
