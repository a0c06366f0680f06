// Invariant 10, first half: the TypeScript curve gives the same results and errors as the Rust curve. threat: overflow
import { buyExactIn, ProgramError, sellExactIn } from '@curvekit/sdk';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { rustVectors, type Outcome, type Vector } from '#tests/arbitraries/vectors.js';

const VECTORS = 1_000_000;
/** cargo may have to compile the generator first. */
const TIMEOUT_MS = 600_000;
const DIFFERENCES_SHOWN = 10;
/** The smallest share of each outcome: done, clipped, or refused for each reason; for buys and for sells. */
const LEAST_SHARE = 0.02;

/** PARITY_SEED, to repeat a run, or a new seed. */
function paritySeed(): bigint {
  const given = process.env['PARITY_SEED'] ?? '';
  return given === '' ? randomBytes(8).readBigUInt64LE() : BigInt(given);
}

describe('parity with Rust (invariant 10: quote in Rust = quote in TypeScript)', () => {
  const seed = paritySeed();

  it(`Given ${VECTORS} trades from the Rust curve, seed ${seed}, when TypeScript repeats them, then all results are equal`, async function () {
    this.timeout(TIMEOUT_MS);
    const { stackTraceLimit } = Error;
    // Stack traces of hundreds of thousands of refusals would cost time.
    Error.stackTraceLimit = 0;
    const differences: string[] = [];
    const kinds = new Map<string, number>();
    let checked = 0;
    try {
      for await (const vector of rustVectors(VECTORS, seed)) {
        const outcome = outcomeInTypeScript(vector);
        if (!isSame(outcome, vector.outcome) && differences.length < DIFFERENCES_SHOWN) {
          differences.push(show({ ...vector, inTypeScript: outcome }));
        }
        const kind = kindOf(vector);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        checked += 1;
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    expect(differences).to.deep.equal([]);
    expect(checked).to.equal(VECTORS);
    const expected = [
      'buy done',
      'buy graduates',
      'buy clipped',
      'buy 6003',
      'buy 6005',
      'sell done',
      'sell 6003',
      'sell 6005',
    ];
    expect([...kinds.keys()]).to.have.members(expected);
    for (const [kind, count] of kinds) expect(count, kind).to.be.at.least(VECTORS * LEAST_SHARE);
  });
});

function outcomeInTypeScript({ isBuy, virtualSol, virtualToken, feeBps, ...trade }: Vector): Outcome {
  const { amount, minimum, graduationReserve } = trade;
  const bps = BigInt(feeBps);
  try {
    if (isBuy) {
      const { tokenOut, net, fee, graduates, ...after } = buyExactIn(
        virtualSol,
        virtualToken,
        bps,
        amount,
        minimum,
        graduationReserve,
      );
      return {
        amounts: [tokenOut, net, fee],
        virtualSol: after.virtualSol,
        virtualToken: after.virtualToken,
        graduates,
      };
    }
    const { gross, fee, solOut, ...after } = sellExactIn(virtualSol, virtualToken, bps, amount, minimum);
    return { amounts: [gross, fee, solOut], ...after, graduates: false };
  } catch (error) {
    if (error instanceof ProgramError && (error.code === 6003 || error.code === 6005))
      return { refusal: error.code };
    throw error;
  }
}

function isSame(a: Outcome, b: Outcome): boolean {
  if (a.refusal !== undefined || b.refusal !== undefined) return a.refusal === b.refusal;
  return (
    a.amounts.every((amount, index) => amount === b.amounts[index]) &&
    a.virtualSol === b.virtualSol &&
    a.virtualToken === b.virtualToken &&
    a.graduates === b.graduates
  );
}

function kindOf({ isBuy, amount, outcome }: Vector): string {
  const side = isBuy ? 'buy' : 'sell';
  if (outcome.refusal !== undefined) return `${side} ${outcome.refusal}`;
  const [, net, fee] = outcome.amounts;
  if (isBuy && net + fee < amount) return 'buy clipped';
  return outcome.graduates ? 'buy graduates' : `${side} done`;
}

function show(value: object): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? field.toString() : field));
}
