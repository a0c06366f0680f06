// A wallet may add a priority fee or a guard instruction. It must not change the simulated instructions.
import { VersionedTransaction } from '../chain-transactions.js';
import { ChangedTransactionError } from './errors.js';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Programs whose instructions a wallet may add: they can only limit, pay for or refuse the transaction. */
const MAY_BE_ADDED: ReadonlySet<string> = new Set([
  COMPUTE_BUDGET,
  // Lighthouse: assertions about the state after the transaction.
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
]);

interface Step {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/**
 * Compares the serialized bytes, because a wallet can modify the object that it was given.
 *
 * @param asked the serialized transaction that the wallet was given
 * @param signed the transaction that the wallet returned
 * @throws ChangedTransactionError unless the signed transaction does the same
 */
export function checkSigned(asked: Uint8Array, signed: Uint8Array): VersionedTransaction {
  const transaction = readSigned(signed);
  const before = messageOf(readSigned(asked));
  const after = messageOf(transaction);
  if (after.payer !== before.payer) throw new ChangedTransactionError('another account pays for it');
  if (after.blockhash !== before.blockhash)
    throw new ChangedTransactionError('its blockhash is another one; a wallet that replaces it must send');
  const wanted = before.steps.filter(({ program }) => program !== COMPUTE_BUDGET);
  let found = 0;
  for (const step of after.steps) {
    const next = wanted[found];
    if (next !== undefined && isSame(step, next)) found += 1;
    else if (!MAY_BE_ADDED.has(step.program))
      throw new ChangedTransactionError(`it has an instruction of ${step.program} that was not simulated`);
  }
  if (found < wanted.length) throw new ChangedTransactionError('an instruction is missing or altered');
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

function messageOf({ message }: VersionedTransaction) {
  const { staticAccountKeys, compiledInstructions, recentBlockhash, addressTableLookups } = message;
  // Lookup tables hide accounts. The SDK's own transactions have none.
  if (addressTableLookups.length > 0) throw new ChangedTransactionError('it names accounts by tables');
  const keys = staticAccountKeys.map((key) => key.toBase58());
  const steps = compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }): Step => ({
    program: keys[programIdIndex] ?? '(none)',
    accounts: [...accountKeyIndexes].map((index) => keys[index] ?? '(none)'),
    data,
  }));
  return { payer: keys[0], blockhash: recentBlockhash, steps };
}

function isSame(one: Step, other: Step): boolean {
  return (
    one.program === other.program &&
    one.data.length === other.data.length &&
    one.data.every((byte, index) => byte === other.data[index]) &&
    one.accounts.length === other.accounts.length &&
    one.accounts.every((address, index) => address === other.accounts[index])
  );
}
