// What a trader asks for: one of four amounts says the side, and which side of the trade is exact.
import { InvalidArgumentError } from '../errors.js';
import { requirePositiveU64 } from '../validation.js';

const AMOUNTS = ['solToSpend', 'tokenToReceive', 'tokenToSpend', 'solToReceive'] as const;

type AmountName = (typeof AMOUNTS)[number];
type Only<Name extends AmountName, Value = bigint> = { readonly [Key in Name]: Value } & {
  readonly [Key in Exclude<AmountName, Name>]?: undefined;
};

/**
 * Exactly one amount, in lamports or smallest token units:
 *
 * - `solToSpend` buys with so much SOL, fee included; `tokenToReceive` buys so many tokens;
 * - `tokenToSpend` sells so many tokens, or `all` of the wallet's; `solToReceive` sells for so much SOL after the fee.
 */
export type TradeAmount =
  Only<'solToSpend'> | Only<'tokenToReceive'> | Only<'tokenToSpend', bigint | 'all'> | Only<'solToReceive'>;

/** A checked {@link TradeAmount}. */
export interface Order {
  readonly name: AmountName;
  readonly amount: bigint | 'all';
  readonly side: 'buy' | 'sell';
  readonly isExactOut: boolean;
}

/** @throws InvalidArgumentError for no amount, for several, and for one out of range */
export function orderOf(amounts: TradeAmount): Order {
  const given = AMOUNTS.filter((name) => amounts[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1) {
    throw new InvalidArgumentError(
      'amount',
      `is given ${given.length === 0 ? 'nowhere' : `${given.length} times`}; give one of ${AMOUNTS.join(', ')}`,
    );
  }
  const amount = amounts[name]!;
  const side = name === 'solToSpend' || name === 'tokenToReceive' ? 'buy' : 'sell';
  const isExactOut = name === 'tokenToReceive' || name === 'solToReceive';
  if (name === 'tokenToSpend' && amount === 'all') return { name, amount, side, isExactOut };
  return { name, amount: requirePositiveU64(name, amount as bigint), side, isExactOut };
}
