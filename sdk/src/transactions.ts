// Turns instructions into a v0 transaction that is ready to sign: compute-unit limit, priority fee, blockhash.
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

/** The most compute units that a transaction may request. */
export const MAX_COMPUTE_UNITS = 1_400_000;
/**
 * The default upper limit of {@link suggestComputeUnitPrice}, in micro-lamports: one lamport per compute unit, so at
 * most 1,400,000 lamports per transaction.
 */
export const HIGHEST_SUGGESTED_COMPUTE_UNIT_PRICE = 1_000_000n;
/** The maximum size of a transaction in bytes. */
export const MAX_TRANSACTION_SIZE = 1_232;

/** The parts of a transaction. */
export interface TransactionParts {
  /** Pays the transaction fee. Signs. */
  readonly payer: PublicKey;
  readonly instructions: readonly TransactionInstruction[];
  /** Compute-unit limit. Default: the cluster's. */
  readonly computeUnitLimit?: number | undefined;
  /** Priority fee in micro-lamports per compute unit. Default: none. */
  readonly computeUnitPrice?: bigint | undefined;
  readonly lookupTables?: AddressLookupTableAccount[] | undefined;
}

/** A transaction that lacks only its signatures. */
export interface PreparedTransaction {
  readonly transaction: VersionedTransaction;
  /** Slot at which the node read the blockhash. The transaction cannot land in an earlier slot. */
  readonly blockhashSlot: number;
  /** The last block height at which the transaction can land. */
  readonly lastValidBlockHeight: number;
  readonly computeUnitLimit: number;
}

/** Options for reading from the cluster and for decoding errors. */
export interface TransactionOptions {
  /** Default: the connection's commitment. */
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
    // web3.js writes into a buffer of the maximum packet size.
    if (error instanceof RangeError) throw tooLarge(`more than ${MAX_TRANSACTION_SIZE}`);
    throw error;
  }
  if (size > MAX_TRANSACTION_SIZE) throw tooLarge(String(size));
  return transaction;
}

/**
 * Simulates the instructions without signatures and returns their compute units, including compute-budget instructions.
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
 * The priority fee that recent transactions on the same accounts paid, in micro-lamports per compute unit. It never
 * exceeds `highest`, because other users can drive up the recent fees, and a node can return any number.
 *
 * @param percentile percentile of the lowest fees that landed in recent slots: 50 is the median, a higher value lands
 *   faster
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
 * Makes a transaction ready to sign. It sets the compute-unit limit from a simulation, unless given, and a fresh
 * blockhash.
 *
 * @param marginPercent added to the simulated compute units, because the state can change until the transaction lands
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
