// Decides which storages have enough to be settled.
import type { Context } from '../context.js';
import type { SettledToken } from './tokens-repository.js';
import type { Storages } from './storages.js';

/** Value of both storages in lamports, with the tokens at the curve's last price, rounded down. */
export function valueOf(
  { sol, token }: Pick<Storages, 'sol' | 'token'>,
  { virtualSol, virtualToken }: Pick<SettledToken, 'virtualSol' | 'virtualToken'>,
): bigint {
  return sol + (virtualToken === 0n ? 0n : (token * virtualSol) / virtualToken);
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
