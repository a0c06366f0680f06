// From instructions to a confirmed v0 transaction: compute-unit limit, priority fee, blockhash, sending. Signing is the
// wallet's.
import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  type Commitment,
  type Connection,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Deployment } from './deployment.js';
import { CurvekitError, InvalidArgumentError, TransactionExpiredError } from './errors.js';
import {
  confirmedError,
  sendError,
  simulationError,
  transactionError,
  type FailureContext,
} from './transaction-errors.js';
import { requireInteger, requireAccountKey, requireU64 } from './validation.js';

/** The most compute units a transaction may ask for. */
export const MAX_COMPUTE_UNITS = 1_400_000;
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
 * A priority fee that recent transactions on the same accounts paid, in micro-lamports per compute unit.
 *
 * @param percentile 50 is the median of the recent slots' least fees that got in; more is more eager
 */
export async function suggestComputeUnitPrice(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  percentile = 50,
): Promise<bigint> {
  requireInteger('percentile', percentile, 100);
  const writable = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable));
  const unique = new Map(writable.map(({ pubkey }) => [pubkey.toBase58(), pubkey]));
  const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts: [...unique.values()] });
  const sorted = fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b);
  const rank = Math.ceil((percentile / 100) * sorted.length) - 1;
  return BigInt(sorted[Math.max(rank, 0)] ?? 0);
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

/** How long to wait for a transaction, and for what. */
export interface ConfirmOptions extends TransactionOptions {
  readonly commitment?: 'processed' | 'confirmed' | 'finalized' | undefined;
  /** Skips the RPC node's own simulation, for one that {@link prepareTransaction} has just done. */
  readonly skipPreflight?: boolean | undefined;
}

/**
 * Sends a signed transaction and waits until it has the commitment, `confirmed` by default. It is sent again while it
 * waits: nodes drop transactions under load, and the same signature never lands twice.
 *
 * @returns its signature and slot
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when it fails
 * @throws TransactionExpiredError when its blockhash ran out: it can never land
 */
export async function sendAndConfirm(
  connection: Connection,
  { transaction, lastValidBlockHeight }: Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>,
  { commitment = 'confirmed', skipPreflight = false, deployment }: ConfirmOptions = {},
): Promise<{ signature: string; slot: number }> {
  const bytes = transaction.serialize();
  const context: FailureContext = { instructions: transaction, deployment };
  const send = (skip: boolean) =>
    connection.sendRawTransaction(bytes, {
      skipPreflight: skip,
      preflightCommitment: commitment,
      maxRetries: 0,
    });
  const signature = await send(skipPreflight).catch((error: unknown) => {
    throw sendError(error, context) ?? error;
  });

  let sentAt = Date.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    // The height first: a status read after the last valid height has passed is the final word.
    const height = await connection.getBlockHeight('confirmed');
    const { value } = await connection.getSignatureStatus(signature);
    if (value !== null && value.err !== null) throw await failure(connection, signature, value.err, context);
    if (value !== null && hasReached(value.confirmationStatus, commitment))
      return { signature, slot: value.slot };
    if (value === null && height > lastValidBlockHeight) {
      throw new TransactionExpiredError(signature, lastValidBlockHeight);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (value === null && Date.now() - sentAt >= RESEND_AFTER_MS) {
      sentAt = Date.now();
      // The first sending was accepted; whether this one is makes no difference.
      await send(true).catch(() => undefined);
    }
  }
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const RESEND_AFTER_MS = 2_000;
const COMMITMENTS = ['processed', 'confirmed', 'finalized'];

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

/** The log names the program that failed; without it the instruction's program has to do. */
async function failure(
  connection: Connection,
  signature: string,
  err: unknown,
  context: FailureContext,
): Promise<Error> {
  const response = await connection
    .getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 })
    .catch(() => null);
  const error = response === null ? null : confirmedError(response, { ...context, signature });
  return error ?? transactionError(err, { ...context, signature });
}

function hasReached(status: string | undefined, commitment: string): boolean {
  return status !== undefined && COMMITMENTS.indexOf(status) >= COMMITMENTS.indexOf(commitment);
}
