// A wallet may add a priority fee or a guard. It may not change what the page has simulated and the person has read.
import {
  ComputeBudgetProgram,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js';

/** The wallet returned another transaction than it was given. */
export class ChangedTransactionError extends Error {
  override readonly name = 'ChangedTransactionError';
}

/** Programs whose instructions a wallet may add: they can only limit, pay or refuse the transaction. */
const MAY_BE_ADDED = new Set([
  ComputeBudgetProgram.programId.toBase58(),
  // Lighthouse: assertions about the state afterwards.
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
]);

/** @throws ChangedTransactionError unless the signed transaction does what the simulated one did */
export function checkSigned(simulated: VersionedTransaction, signed: Uint8Array): VersionedTransaction {
  const transaction = read(signed);
  const before = decompiled(simulated);
  const after = decompiled(transaction);
  if (!after.payerKey.equals(before.payerKey)) throw changed('another account pays for it');
  if (after.recentBlockhash !== before.recentBlockhash) throw changed('its blockhash is another one');
  const isBudget = ({ programId }: TransactionInstruction) =>
    programId.equals(ComputeBudgetProgram.programId);
  const wanted = before.instructions.filter((instruction) => !isBudget(instruction));
  let found = 0;
  for (const instruction of after.instructions) {
    const next = wanted[found];
    if (next !== undefined && isSame(instruction, next)) found += 1;
    else if (!MAY_BE_ADDED.has(instruction.programId.toBase58()))
      throw changed(`it has an instruction of ${instruction.programId.toBase58()} that was not simulated`);
  }
  if (found < wanted.length) throw changed('an instruction is missing or altered');
  return transaction;
}

function read(bytes: Uint8Array): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(new Uint8Array(bytes));
  } catch {
    throw changed('it cannot be read');
  }
}

function decompiled({ message }: VersionedTransaction): TransactionMessage {
  try {
    return TransactionMessage.decompile(message);
  } catch {
    // Lookup tables that the page did not ask for hide accounts.
    throw changed('it names accounts by tables');
  }
}

function isSame(one: TransactionInstruction, other: TransactionInstruction): boolean {
  return (
    one.programId.equals(other.programId) &&
    one.data.length === other.data.length &&
    one.data.every((byte, index) => byte === other.data[index]) &&
    one.keys.length === other.keys.length &&
    one.keys.every(({ pubkey }, index) => other.keys[index]?.pubkey.equals(pubkey) === true)
  );
}

function changed(how: string): ChangedTransactionError {
  return new ChangedTransactionError(`The wallet changed the transaction: ${how}. It was not sent.`);
}
