// The progress of a token to graduation. The product of both virtual reserves is constant along the curve.
import type { MarketConfig, TokenSummary } from './types.js';

type Reserves = Pick<TokenSummary, 'virtualSol' | 'virtualToken'>;

/** Lamports, before the fee, that buy all remaining tokens of the curve. */
export function lamportsToGraduation(
  { virtualSol, virtualToken }: Reserves,
  graduationVirtualToken: string,
): bigint {
  const left = BigInt(virtualToken) - BigInt(graduationVirtualToken);
  if (left <= 0n) return 0n;
  const end = BigInt(graduationVirtualToken);
  return (BigInt(virtualSol) * left + end - 1n) / end;
}

/** Lamports that a curve holds at graduation, and that it holds now. */
export function raised(
  token: Reserves & Pick<TokenSummary, 'initialVirtualToken'>,
  graduationVirtualToken: string,
): { readonly now: bigint; readonly goal: bigint } {
  const product = BigInt(token.virtualSol) * BigInt(token.virtualToken);
  const initial = product / BigInt(token.initialVirtualToken);
  const now = BigInt(token.virtualSol) - initial;
  const goal = product / BigInt(graduationVirtualToken) - initial;
  return { now: now < 0n ? 0n : now, goal };
}

/** Lamports that a curve launched today holds at graduation. */
export function goalOf(
  config: Pick<MarketConfig, 'initialVirtualSol' | 'initialVirtualToken' | 'graduationVirtualToken'>,
): bigint {
  const { initialVirtualSol: virtualSol, initialVirtualToken, graduationVirtualToken } = config;
  const launched = { virtualSol, virtualToken: initialVirtualToken, initialVirtualToken };
  return raised(launched, graduationVirtualToken).goal;
}
