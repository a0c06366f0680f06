/** Mutants that no proof can notice: for every curve that can be, they compute the same as the source. */
import type { Translation } from './translation.js';

interface Equivalent {
  readonly coq: Translation['coq'];
  /** The alteration, and how the altered line begins. */
  readonly alteration: string;
  readonly line: string;
  readonly why: string;
}

/** The error of an operation that never fails. That it does not is part of the proof in `Exact.v`. */
const neverFails = (line: string, why: string): Equivalent => ({
  coq: 'Curve',
  alteration: 'TradeError::Logical -> TradeError::Slippage',
  line,
  why: `never fails: ${why}`,
});

const EQUIVALENTS: readonly Equivalent[] = [
  neverFails('let available =', 'a curve has at least its graduation reserve'),
  neverFails('let net = sol_to_spend', 'the fee is at most the amount'),
  neverFails('let sol_in =', 'the last tokens cost at most what the buyer spends (clip_charge)'),
  neverFails(
    'virtual_token: reserves.virtual_token.checked_sub(token_out)',
    'a buy leaves the graduation reserve',
  ),
  neverFails('let sol_out =', 'the fee is at most the amount'),
  neverFails('virtual_sol: reserves.virtual_sol.checked_sub(gross)', 'a sale pays out less than the reserve'),
  neverFails('let virtual_sol = u128', 'the sum of two u64 fits u128'),
  neverFails('let left =', 'what is left of the tokens is the graduation reserve'),
  neverFails('let kept =', 'the fee is less than a whole'),
  neverFails('let most_remainder =', 'no divisor is 0'),
  neverFails('let quotient =', 'no divisor is 0'),
  neverFails('Rounding::Up => product(a, b)', 'the product of two u64 and a u64 fit u128'),
  {
    coq: 'Curve',
    alteration: '.filter(|sol_in| *sol_in <= sol_to_spend) -> nothing',
    line: 'let sol_in =',
    why: 'the last tokens cost at most what the buyer spends (clip_charge)',
  },
];

/** Why a mutant computes the same, if it is known to. */
export function equivalence(coq: Translation['coq'], mutant: string): string | undefined {
  const known = EQUIVALENTS.find(
    (one) => one.coq === coq && mutant.includes(`: ${one.alteration} in ${one.line}`),
  );
  return known?.why;
}
