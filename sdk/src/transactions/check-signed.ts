// A wallet may add a priority fee or a guard instruction. It must not change the simulated instructions.
import { VersionedTransaction } from '../chain/transactions.js';
import type { AddressLookupTableAccount } from '../chain/types.js';
import { COMPUTE_BUDGET } from '../checks/programs.js';
import { ChangedTransactionError } from './changed-transaction.js';
import { compareSteps, stepsOf } from './steps.js';

/** Programs whose instructions a wallet may add: they can only limit, pay for or refuse the transaction. */
const MAY_BE_ADDED: ReadonlySet<string> = new Set([
  COMPUTE_BUDGET,
  // Lighthouse: assertions about the state after the transaction.
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
]);

/**
 * Compares the serialized bytes, because a wallet can modify the object that it was given.
 *
 * @param asked the serialized transaction that the wallet was given
 * @param signed the transaction that the wallet returned
 * @param tables the lookup tables that it may use
 * @throws ChangedTransactionError unless the signed transaction does the same
 */
export function checkSigned(
  asked: Uint8Array,
  signed: Uint8Array,
  tables: readonly AddressLookupTableAccount[] = [],
): VersionedTransaction {
  const transaction = readSigned(signed);
  const before = messageOf(readSigned(asked), tables);
  const after = messageOf(transaction, tables);
  if (after.payer !== before.payer) throw new ChangedTransactionError('another account pays for it');
  if (after.blockhash !== before.blockhash)
    throw new ChangedTransactionError('its blockhash is another one; a wallet that replaces it must send');
  const { missing, added } = compareSteps(before.steps, after.steps);
  const foreign = added.find(({ program }) => !MAY_BE_ADDED.has(program));
  if (foreign !== undefined)
    throw new ChangedTransactionError(`it has an instruction of ${foreign.program} that was not simulated`);
  if (missing > 0) throw new ChangedTransactionError('an instruction is missing or altered');
  return transaction;
}

/** @throws ChangedTransactionError for bytes that are not a transaction */
export function readSigned(bytes: Uint8Array): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(new Uint8Array(bytes));
  } catch {
    throw new ChangedTransactionError('it cannot be read');
  }
}

function messageOf(transaction: VersionedTransaction, tables: readonly AddressLookupTableAccount[]) {
  const { recentBlockhash: blockhash, addressTableLookups } = transaction.message;
  // Lookup tables hide accounts.
  if (addressTableLookups.some(({ accountKey }) => !tables.some(({ key }) => key.equals(accountKey))))
    throw new ChangedTransactionError('it names accounts by tables');
  return { ...stepsOf(transaction, tables), blockhash };
}
