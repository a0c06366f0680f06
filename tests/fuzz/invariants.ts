// What must hold after every trade, whatever the exact amounts are. From the accounts alone; `proofs/README.md` states and
// proves the same of the formulas.
import { GRADUATION_VIRTUAL_TOKEN, TOKEN_SUPPLY } from '@curvekit/sdk';
import type { CurveNow } from './curve-account.js';
import { must } from './state.js';

const WHOLE = 10_000n;

/** A trade as the accounts show it. All in lamports and token units, each positive. */
export interface Seen {
  readonly before: CurveNow;
  readonly after: CurveNow;
  /** Lamports of the trader, token units of the trader, lamports of the fee receiver. */
  readonly lamports: bigint;
  readonly tokens: bigint;
  readonly fee: bigint;
  readonly feeBps: bigint;
  readonly amount: bigint;
  readonly minimum: bigint;
}

export function checkBuy(seen: Seen): void {
  const { before, after, lamports, tokens, fee, amount, minimum, feeBps } = seen;
  checkReserves(seen);
  must('a buyer pays at most what they said', lamports <= amount);
  must('a buyer pays less only for the last tokens', lamports === amount || after.status === 2);
  must('a buyer gets the minimum, or its price for the last tokens', minimum * lamports <= tokens * amount);
  must('the fee is its percentage, rounded up', fee === ceilDiv(lamports * feeBps, WHOLE));
  must('the curve gets the rest', after.lamports - before.lamports === lamports - fee);
  must('the reserves move by what was traded', after.virtualSol - before.virtualSol === lamports - fee);
  must('tokens leave the virtual reserve', before.virtualToken - after.virtualToken === tokens);
}

export function checkSell(seen: Seen): void {
  const { before, after, lamports, tokens, fee, amount, minimum, feeBps } = seen;
  checkReserves(seen);
  must('a seller spends what they said', tokens === amount);
  must('a seller gets the minimum', lamports >= minimum);
  must('the fee is its percentage, rounded up', fee === ceilDiv((lamports + fee) * feeBps, WHOLE));
  must('the curve pays both', before.lamports - after.lamports === lamports + fee);
  must('the reserves move by what was traded', before.virtualSol - after.virtualSol === lamports + fee);
  must('tokens enter the virtual reserve', after.virtualToken - before.virtualToken === tokens);
}

function checkReserves({ before, after }: Seen): void {
  must(
    'the product of the reserves never decreases',
    before.virtualSol * before.virtualToken <= after.virtualSol * after.virtualToken,
  );
  must('a curve never passes its reserve', after.virtualToken >= GRADUATION_VIRTUAL_TOKEN);
  must(
    'a curve has sold out exactly at its reserve',
    (after.status === 2) === (after.virtualToken === GRADUATION_VIRTUAL_TOKEN),
  );
}

/** Everybody can sell everything, and nobody has got more than was paid. */
export function checkSolvency(
  now: CurveNow,
  vault: bigint,
  initialSol: bigint,
  lamportsAboveRent: bigint,
  paid: bigint,
  got: bigint,
): void {
  const outside = TOKEN_SUPPLY - vault;
  const owed = (now.virtualSol * outside) / (now.virtualToken + outside);
  must('all tokens outside the vault can be sold', owed <= now.virtualSol - initialSol);
  must("the curve's lamports cover it", now.virtualSol - initialSol <= lamportsAboveRent);
  must('nobody profits against the curve', got <= paid);
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
