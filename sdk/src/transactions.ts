// From instructions to a v0 transaction that is ready to sign: compute-unit limit, priority fee, blockhash.
import type {
  AddressLookupTableAccount,
  Commitment,
  Connection,
  TransactionInstruction,
} from '@solana/web3.js';
import { PublicKey } from './chain.js';
import { ComputeBudgetProgram, TransactionMessage, VersionedTransaction } from './chain-transactions.js';
import type { Deployment } from './deployment.js';
import { CurvekitError, InvalidArgumentError } from './errors.js';
import { simulationError } from './transaction-errors.js';
import { requireInteger, requireAccountKey, requireU64 } from './validation.js';

/** The most compute units a transaction may ask for. */
export const MAX_COMPUTE_UNITS = 1_400_000;
/**
 * The most that {@link suggestComputeUnitPrice} suggests unless told otherwise, in micro-lamports: one lamport for a
 * compute unit, so at most 1,400,000 lamports for a transaction.
 */
export const HIGHEST_SUGGESTED_COMPUTE_UNIT_PRICE = 1_000_000n;
/** The most bytes of a transaction. */
export const MAX_TRANSACTION_SIZE = 1_232;

/** What a transaction is made of. */
export interface TransactionParts {
  /** Pays the transaction fee. Signs. */
  readonly payer: PublicKey;
  readonly instructions: readonly TransactionInstruction[];
  /** Compute units to allow; the cluster's default when left out. */
  readonly computeUnitLimit?: number | undefined;
  /** Priority fee in micro-lamports per compute unit; none when left out. */
  readonly computeUnitPrice?: bigint | undefined;
  readonly lookupTables?: AddressLookupTableAccount[] | undefined;
}

/** A transaction that only lacks its signatures. */
export interface PreparedTransaction {
  readonly transaction: VersionedTransaction;
  /** Slot at which the node read the blockhash: it lands in no earlier one. */
  readonly blockhashSlot: number;
  /** The last block height at which it can land. */
  readonly lastValidBlockHeight: number;
  readonly computeUnitLimit: number;
}

/** How to read from the cluster, and which program's errors to expect. */
export interface TransactionOptions {
  /** The connection's own when left out. */
  readonly commitment?: Commitment | undefined;
  readonly deployment?: Deployment | undefined;
}

/**
 * Compiles a v0 transaction with its compute-budget instructions first.
 *
 * @throws InvalidArgumentError for a limit or price out of range, and for instructions that do not fit 1,232 bytes
 */
export function compileTransaction(parts: TransactionParts, blockhash: string): VersionedTransaction {
  const { payer, lookupTables } = parts;
  requireAccountKey('payer', payer);
  const instructions = [...computeBudget(parts), ...parts.instructions];
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
    // web3.js writes into a buffer of a packet's size.
    if (error instanceof RangeError) throw tooLarge(`more than ${MAX_TRANSACTION_SIZE}`);
    throw error;
  }
  if (size > MAX_TRANSACTION_SIZE) throw tooLarge(String(size));
  return transaction;
}

/**
 * Compute units that the instructions use, compute-budget instructions included, by simulating them without signatures.
 *
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when the simulation fails
 */
export async function simulateComputeUnits(
  connection: Connection,
  parts: TransactionParts,
  { commitment, deployment }: TransactionOptions = {},
): Promise<number> {
  const unlimited = { ...parts, computeUnitLimit: MAX_COMPUTE_UNITS };
  const transaction = compileTransaction(unlimited, PublicKey.default.toBase58());
  const { value } = await connection.simulateTransaction(transaction, {
    sigVerify: false,
    replaceRecentBlockhash: true,
    ...(commitment === undefined ? {} : { commitment }),
  });
  const error = simulationError(value, { instructions: transaction, deployment });
  if (error !== null) throw error;
  if (value.unitsConsumed === undefined)
    throw new CurvekitError('the RPC node does not report consumed compute units');
  return value.unitsConsumed;
}

/**
 * A priority fee that recent transactions on the same accounts paid, in micro-lamports per compute unit, but never more
 * than `highest`: others can drive the recent fees up, and a node can tell any number.
 *
 * @param percentile 50 is the median of the recent slots' least fees that got in; more is more eager
 * @throws InvalidArgumentError for an argument out of range
 */
export async function suggestComputeUnitPrice(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  percentile = 50,
  { highest = HIGHEST_SUGGESTED_COMPUTE_UNIT_PRICE }: { readonly highest?: bigint | undefined } = {},
): Promise<bigint> {
  requireInteger('percentile', percentile, 100);
  requireU64('highest', highest);
  const writable = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable));
  const unique = new Map(writable.map(({ pubkey }) => [pubkey.toBase58(), pubkey]));
  const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: [...unique.values()] });
  const sorted = fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b);
  const rank = Math.ceil((percentile / 100) * sorted.length) - 1;
  const suggested = BigInt(Math.max(Math.trunc(sorted[Math.max(rank, 0)] ?? 0), 0));
  return suggested < highest ? suggested : highest;
}

/**
 * Makes a transaction ready to sign: the compute-unit limit from a simulation unless given, and a fresh blockhash.
 *
 * @param marginPercent added to what the simulation used, for state that changes until it lands
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when the simulation fails
 * @throws InvalidArgumentError as {@link compileTransaction}
 */
export async function prepareTransaction(
  connection: Connection,
  parts: TransactionParts,
  {
    marginPercent = 10,
    ...options
  }: TransactionOptions & { readonly marginPercent?: number | undefined } = {},
): Promise<PreparedTransaction> {
  requireInteger('marginPercent', marginPercent, 1_000);
  const [computeUnitLimit, { context, value }] = await Promise.all([
    parts.computeUnitLimit ?? withMargin(simulateComputeUnits(connection, parts, options), marginPercent),
    connection.getLatestBlockhashAndContext(options.commitment),
  ]);
  const { blockhash, lastValidBlockHeight } = value;
  const transaction = compileTransaction({ ...parts, computeUnitLimit }, blockhash);
  return { transaction, blockhashSlot: context.slot, lastValidBlockHeight, computeUnitLimit };
}

function computeBudget({ computeUnitLimit, computeUnitPrice }: TransactionParts): TransactionInstruction[] {
  const instructions: TransactionInstruction[] = [];
  if (computeUnitLimit !== undefined) {
    const units = requireInteger('computeUnitLimit', computeUnitLimit, MAX_COMPUTE_UNITS, 1);
    instructions.push(ComputeBudgetProgram.setComputeUnitLimit({ units }));
  }
  if (computeUnitPrice !== undefined) {
    const microLamports = requireU64('computeUnitPrice', computeUnitPrice);
    instructions.push(ComputeBudgetProgram.setComputeUnitPrice({ microLamports }));
  }
  return instructions;
}

async function withMargin(units: Promise<number>, marginPercent: number): Promise<number> {
  return Math.min(Math.ceil(((await units) * (100 + marginPercent)) / 100), MAX_COMPUTE_UNITS);
}
