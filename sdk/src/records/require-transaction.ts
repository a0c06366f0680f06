import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';

/** @throws InvalidArgumentError for a value that is not a transaction as `getTransaction` returns it */
export function requireTransaction(transaction: { readonly meta: unknown }): void {
  requireObject('transaction', transaction);
  if (transaction.meta === undefined)
    throw new InvalidArgumentError('transaction', 'is not one as getTransaction returns it');
}
