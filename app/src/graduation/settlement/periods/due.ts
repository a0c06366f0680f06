// Decides which storages have enough to be settled.
import type { Context } from '../../../context.js';
import type { Reserves } from '../../../index/pool-prices.js';
import type { Storages } from './storages.js';

/**
 * Value of both storages in lamports, rounded down. The curve's price of a graduated token stays at that of its
 * graduation, so the tokens are valued at the smaller of the curve's price and the pool's.
 *
 * @param pool reserves of a graduated token's pool, if they are known
 */
export function valueOf(
  { sol, token }: Pick<Storages, 'sol' | 'token'>,
  curve: Reserves,
  pool: Reserves | undefined,
): bigint {
  // Without tokens in the reserves there is no price.
  const values = [curve, pool ?? curve].flatMap(({ virtualSol, virtualToken }) =>
    virtualToken === 0n ? [] : [(token * virtualSol) / virtualToken],
  );
  return sol + values.reduce((least, value) => (value < least ? value : least), values[0] ?? 0n);
}

/** Whether storages of this value are settled. With a smaller value they wait for more. */
export function isDue(
  { sol, token }: Pick<Storages, 'sol' | 'token'>,
  value: bigint,
  { minimumSol, minimumToken }: Context['config']['settlement'],
): boolean {
  const hasAny = sol > 0n || (token > 0n && token >= minimumToken);
  return hasAny && value >= minimumSol;
}
