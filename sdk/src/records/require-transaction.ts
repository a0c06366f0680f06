import { InvalidArgumentError } from '../errors.js';
import { requireObject } from '../options.js';

/** @throws InvalidArgumentError for a value that is not a transaction as `getTransaction` returns it */
export function requireTransaction(transaction: { readonly meta: unknown }): void {
  requireObject('transaction', transaction);
  if (transaction.meta === undefined)
    throw new InvalidArgumentError('transaction', 'is not one as getTransaction returns it');
}
