// The order of a trader. One of four amounts decides the side, and which side of the trade is exact.
import { requirePositiveU64, requireU64 } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import { type TradeRules, AMOUNTS, type AmountName, type TradeAmount } from './options.js';

type OrderTerms = TradeAmount & Pick<TradeRules, 'minTokenToReceive' | 'minSolToReceive' | 'slippageBps'>;

/** A checked {@link TradeAmount}. */
export interface Order {
  readonly name: AmountName;
  readonly amount: bigint | 'all';
  readonly side: 'buy' | 'sell';
  readonly isExactOut: boolean;
  /** The least amount to receive, from an earlier quote. Undefined when the trade is quoted now. */
  readonly least: bigint | undefined;
}

/** @throws InvalidArgumentError for no amount, for several amounts, and for one out of range */
export function orderOf(terms: OrderTerms): Order {
  const given = AMOUNTS.filter((name) => terms[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1) {
    throw new InvalidArgumentError(
      'amount',
      `is given ${given.length === 0 ? 'nowhere' : `${given.length} times`}; give one of ${AMOUNTS.join(', ')}`,
    );
  }
  const amount = terms[name]!;
  const side = name === 'solToSpend' || name === 'tokenToReceive' ? 'buy' : 'sell';
  const isExactOut = name === 'tokenToReceive' || name === 'solToReceive';
  const least = leastOf(terms, name);
  if (name === 'tokenToSpend' && amount === 'all') return { name, amount, side, isExactOut, least };
  return { name, amount: requirePositiveU64(name, amount as bigint), side, isExactOut, least };
}

/** The amount to which each limit belongs. */
const LIMITS = { minTokenToReceive: 'solToSpend', minSolToReceive: 'tokenToSpend' } as const;

function leastOf(terms: OrderTerms, amount: AmountName): bigint | undefined {
  let least: bigint | undefined;
  for (const name of ['minTokenToReceive', 'minSolToReceive'] as const) {
    const limit = terms[name];
    if (limit === undefined) continue;
    if (LIMITS[name] !== amount)
      throw new InvalidArgumentError(name, `is for ${LIMITS[name]}, not for ${amount}; leave it out`);
    if (terms.slippageBps !== undefined)
      throw new InvalidArgumentError(name, 'takes the place of slippageBps; give one of them');
    least = requireU64(name, limit);
  }
  return least;
}
