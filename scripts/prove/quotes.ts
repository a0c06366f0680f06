/** Random calls of the SDK's quotes, one a line, for the extracted model to repeat. */
import {
  InvalidArgumentError,
  leastSolForTokens,
  leastTokensForSol,
  ProgramError,
  quoteBuy,
} from '@curvekit/sdk';

import { randomStream, type Random } from '../random.js';

const GRADUATION_RESERVE = 280_000_000_000_000n;
const MOST_TOKENS = 1_279_999_999_999_999n;
const MOST_FEE = 1_000;
const U64_MAX = 2n ** 64n - 1n;

/** Lines as `proofs/model/compare.ml` reads them. The same seed gives the same. */
export function quoteVectors(count: number, seed: number): string[] {
  const random = randomStream(seed, 0);
  return Array.from({ length: count }, () => vector(random));
}

function vector(random: Random): string {
  const virtualSol = random.chance(50)
    ? 30_000_000_000n + random.shareOf(90_000_000_000n)
    : random.magnitude();
  const virtualToken = random.chance(25)
    ? 1_073_000_000_000_000n
    : GRADUATION_RESERVE + random.shareOf(MOST_TOKENS - GRADUATION_RESERVE);
  const bps = BigInt(random.chance(50) ? 100 : random.below(MOST_FEE + 1));
  const curve = `${virtualSol} ${virtualToken} ${bps}`;
  const available = virtualToken - GRADUATION_RESERVE;
  const kind = random.below(3);
  if (kind === 0) {
    const tokens = random.chance(10) ? available : random.shareOf(available);
    return `sol ${curve} ${tokens} ${orNone(() => leastSolForTokens(virtualSol, virtualToken, bps, tokens))}`;
  }
  if (kind === 1) {
    const sol = random.chance(80) ? random.shareOf(virtualSol) : random.magnitude();
    return `tokens ${curve} ${sol} ${orNone(() => leastTokensForSol(virtualSol, virtualToken, bps, sol))}`;
  }
  // Half of them take the last tokens. A buy that the program refuses has no quote: another curve then.
  const cost = orNone(() => leastSolForTokens(virtualSol, virtualToken, bps, available));
  const most = cost === 'none' || cost * 2n > U64_MAX ? U64_MAX : cost * 2n;
  const solToSpend = random.shareOf(most);
  try {
    const { minTokenToReceive } = quoteBuy(
      { virtualSol, virtualToken, platformFeeBps: Number(bps) },
      solToSpend,
    );
    return `minimum ${curve} ${solToSpend} ${minTokenToReceive}`;
  } catch (error) {
    if (error instanceof ProgramError) return vector(random);
    throw error;
  }
}

function orNone(value: () => bigint): bigint | 'none' {
  try {
    return value();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return 'none';
    throw error;
  }
}
