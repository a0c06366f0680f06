// Compiles instructions to a v0 transaction, with those of the compute budget.
import { TransactionMessage, VersionedTransaction } from '../chain/transactions.js';
import type { TransactionInstruction } from '../chain/types.js';
import { requireInteger, requireU64 } from '../checks/keys.js';
import { buildInstruction } from '../codec/instruction.js';
import { InvalidArgumentError } from '../errors/index.js';
import {
  COMPUTE_BUDGET_ADDRESS,
  SET_COMPUTE_UNIT_LIMIT,
  SET_COMPUTE_UNIT_PRICE,
} from '../instructions/foreign.js';
import { MAX_COMPUTE_UNITS } from './compute-units.js';
import type { TransactionParts } from './prepare.js';

/** The maximum size of a transaction in bytes. */
export const MAX_TRANSACTION_SIZE = 1_232;

/** @param first goes before the compute budget: what advances a nonce */
export function compile(
  parts: Omit<TransactionParts, 'nonce'>,
  blockhash: string,
  first?: TransactionInstruction,
): VersionedTransaction {
  const { payer, lookupTables } = parts;
  const instructions = [...(first ? [first] : []), ...computeBudget(parts), ...parts.instructions];
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions });
  const tooLarge = (size: string) =>
    new InvalidArgumentError(
      'instructions',
      `take ${size} bytes as a transaction; at most ${MAX_TRANSACTION_SIZE} fit`,
    );
  const transaction = new VersionedTransaction(message.compileToV0Message(lookupTables));
  let size: number;
  try {
    size = transaction.serialize().length;
  } catch (error) {
    // web3.js writes into a buffer of the maximum packet size.
    if (error instanceof RangeError) throw tooLarge(`more than ${MAX_TRANSACTION_SIZE}`);
    throw error;
  }
  if (size > MAX_TRANSACTION_SIZE) throw tooLarge(String(size));
  return transaction;
}

function computeBudget({
  computeUnitLimit,
  computeUnitPrice,
}: Pick<TransactionParts, 'computeUnitLimit' | 'computeUnitPrice'>): TransactionInstruction[] {
  const instructions: TransactionInstruction[] = [];
  if (computeUnitLimit !== undefined) {
    const units = requireInteger('computeUnitLimit', computeUnitLimit, MAX_COMPUTE_UNITS, 1);
    instructions.push(buildInstruction(SET_COMPUTE_UNIT_LIMIT, COMPUTE_BUDGET_ADDRESS, {}, { units }));
  }
  if (computeUnitPrice !== undefined) {
    const microLamports = requireU64('computeUnitPrice', computeUnitPrice);
    instructions.push(
      buildInstruction(SET_COMPUTE_UNIT_PRICE, COMPUTE_BUDGET_ADDRESS, {}, { microLamports }),
    );
  }
  return instructions;
}
