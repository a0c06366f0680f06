// Invariant 10, first half: the TypeScript curve gives the same results and errors as the Rust curve. threat: overflow
import {
  buyExactIn,
  InvalidArgumentError,
  leastSolForTokens,
  leastTokensForSol,
  ProgramError,
  sellExactIn,
} from '@curvekit/sdk';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { rustCalls, tradeIn, type Vector } from '#tests/arbitraries/vectors.js';

const CALLS = 1_000_000;
/** cargo may have to compile the generator first. */
const TIMEOUT_MS = 600_000;
const DIFFERENCES_SHOWN = 10;
/** The smallest share of each outcome: done, clipped, or refused for each reason. */
const LEAST_SHARE = 0.01;

/** PARITY_SEED, to repeat a run, or a new seed. */
function paritySeed(): bigint {
  const given = process.env['PARITY_SEED'] ?? '';
  return given === '' ? randomBytes(8).readBigUInt64LE() : BigInt(given);
}

describe('parity with Rust (invariant 10: quote in Rust = quote in TypeScript)', () => {
  const seed = paritySeed();

  it(`Given ${CALLS} calls of the Rust curve, seed ${seed}, when TypeScript repeats them, then all results are equal`, async function () {
    this.timeout(TIMEOUT_MS);
    const { stackTraceLimit } = Error;
    // Stack traces of hundreds of thousands of refusals would cost time.
    Error.stackTraceLimit = 0;
    const differences: string[] = [];
    const kinds = new Map<string, number>();
    let checked = 0;
    try {
      for await (const call of rustCalls(CALLS, seed)) {
        checked += 1;
        const trade = tradeIn(call);
        const kind = trade === undefined ? call[0]! : kindOf(trade);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const outcome = trade === undefined ? leastInTypeScript(call) : tradeInTypeScript(trade);
        const expected = call.slice(trade === undefined ? -1 : trade.isBuy ? 7 : 6).join(' ');
        if (outcome !== expected && differences.length < DIFFERENCES_SHOWN)
          differences.push(`${call.join(' ')}: ${outcome}`);
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    expect(differences).to.deep.equal([]);
    expect(checked).to.equal(CALLS);
    const expected = [
      'buy done',
      'buy graduates',
      'buy clipped',
      'buy 6003',
      'buy 6005',
      'sell done',
      'sell 6003',
      'sell 6005',
      ...['sol', 'tokens', 'highest'],
    ];
    expect([...kinds.keys()]).to.have.members(expected);
    for (const [kind, count] of kinds) expect(count, kind).to.be.at.least(CALLS * LEAST_SHARE);
  });
});

/** The result as the Rust curve's line says it. */
function tradeInTypeScript({ isBuy, virtualSol, virtualToken, feeBps, ...trade }: Vector): string {
  const { amount, minimum, graduationReserve } = trade;
  const curve = [virtualSol, virtualToken, BigInt(feeBps), amount, minimum] as const;
  try {
    if (isBuy) {
      const { tokenOut, net, fee, graduates, ...after } = buyExactIn(...curve, graduationReserve);
      const reserves = `${after.virtualSol} ${after.virtualToken}`;
      return `ok ${tokenOut} ${net} ${fee} ${reserves} ${graduates ? 1 : 0}`;
    }
    const { gross, fee, solOut, ...after } = sellExactIn(...curve);
    return `ok ${gross} ${fee} ${solOut} ${after.virtualSol} ${after.virtualToken}`;
  } catch (error) {
    if (error instanceof ProgramError && error.code === 6003) return 'slippage';
    if (error instanceof ProgramError && error.code === 6005) return 'logical';
    throw error;
  }
}

/** What an exact output costs at least. The SDK refuses zeros by name; a highest minimum is part of its quotes. */
function leastInTypeScript(call: readonly string[]): string {
  const [kind, ...texts] = call;
  if (kind === 'highest') return call.at(-1)!;
  const [virtualSol, virtualToken, bps, amount] = texts.slice(0, 4).map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if ([virtualSol, virtualToken, amount].includes(0n)) return call.at(-1)!;
  try {
    const least =
      kind === 'sol'
        ? leastSolForTokens(virtualSol, virtualToken, bps, amount, 0n)
        : leastTokensForSol(virtualSol, virtualToken, bps, amount);
    return `${least}`;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return 'none';
    throw error;
  }
}

function kindOf({ isBuy, amount, outcome }: Vector): string {
  const side = isBuy ? 'buy' : 'sell';
  if (outcome.refusal !== undefined) return `${side} ${outcome.refusal}`;
  const [, net, fee] = outcome.amounts;
  if (isBuy && net + fee < amount) return 'buy clipped';
  return outcome.graduates ? 'buy graduates' : `${side} done`;
}
