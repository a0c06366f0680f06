// Turns instructions into a v0 transaction that is ready to sign: compute-unit limit, priority fee, blockhash.
import type { Deployment } from '../accounts/deployment.js';
import { PublicKey } from '../chain/keys.js';
import type {
  AddressLookupTableAccount,
  Commitment,
  Connection,
  TransactionInstruction,
  VersionedTransaction,
} from '../chain/types.js';
import { requireInteger, requireAccountKey, requireU64 } from '../checks/keys.js';
import { notA } from '../errors/base.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { CurvekitError } from '../errors/index.js';
import { RPC_OPTIONS, type RpcOptions } from '../rpc/ask.js';
import { type Reader, reading } from '../rpc/reading.js';
import { compile } from './compile.js';
import { limitOf, MAX_COMPUTE_UNITS, unitsIn } from './compute-units.js';
import { simulationError } from './errors.js';
import { advanceNonce, type DurableNonce, lifetimeOfNonce, readNonce } from './nonce.js';

export { MAX_TRANSACTION_SIZE } from './compile.js';
export { MAX_COMPUTE_UNITS } from './compute-units.js';

/**
 * The default upper limit of {@link suggestComputeUnitPrice}, in micro-lamports: one lamport per compute unit, so at
 * most 1,400,000 lamports per transaction.
 */
export const HIGHEST_SUGGESTED_COMPUTE_UNIT_PRICE = 1_000_000n;

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
  /** A durable nonce account, whose authority is the payer. The transaction then does not expire by its age. */
  readonly nonce?: PublicKey | undefined;
}

/** A transaction that lacks only its signatures. */
export interface PreparedTransaction {
  readonly transaction: VersionedTransaction;
  /** Slot at which the node read the blockhash. The transaction cannot land in an earlier slot. */
  readonly blockhashSlot: number;
  /** The last block height at which the transaction can land. With a nonce: 2^53 − 1. */
  readonly lastValidBlockHeight: number;
  readonly computeUnitLimit: number;
  /** The durable nonce in place of a blockhash. */
  readonly nonce?: DurableNonce | undefined;
}

/** Options for reading from the cluster and for decoding errors. */
export interface TransactionOptions {
  /** Default: the connection's commitment. */
  readonly commitment?: Commitment | undefined;
  readonly deployment?: Deployment | undefined;
}

const PARTS = {
  payer: true,
  instructions: true,
  computeUnitLimit: true,
  computeUnitPrice: true,
  lookupTables: true,
  nonce: true,
} as const satisfies OptionNames<TransactionParts>;
const OPTIONS = { commitment: true, deployment: true } as const satisfies OptionNames<TransactionOptions>;

/**
 * Compiles a v0 transaction with its compute-budget instructions first, or after the one that advances its nonce.
 *
 * @param blockhash the nonce's value, with a nonce
 * @throws InvalidArgumentError for a limit or price out of range, and for instructions that do not fit 1,232 bytes
 */
export function compileTransaction(parts: TransactionParts, blockhash: string): VersionedTransaction {
  requireKnown('parts', parts, PARTS);
  const { payer, nonce } = parts;
  requireAccountKey('payer', payer);
  return compile(parts, blockhash, nonce && advanceNonce(requireAccountKey('nonce', nonce), payer));
}

/**
 * Simulates the instructions without signatures and returns their compute units, including compute-budget instructions.
 *
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when the simulation fails
 * @throws CurvekitError when the node does not report consumed compute units
 * @throws RpcError; the signal's reason
 */
export async function simulateComputeUnits(
  connection: Connection,
  parts: TransactionParts,
  options: TransactionOptions & RpcOptions = {},
): Promise<number> {
  requireKnown('options', options, OPTIONS, RPC_OPTIONS);
  const units = await simulatedUnits(connection, parts, options);
  if (units === undefined) throw new CurvekitError('the RPC node does not report consumed compute units');
  return units;
}

/** Undefined when the node does not report consumed compute units. */
async function simulatedUnits(
  connection: Connection,
  parts: TransactionParts,
  { commitment, deployment, ...options }: TransactionOptions & RpcOptions,
): Promise<number | undefined> {
  const unlimited = { ...parts, computeUnitLimit: MAX_COMPUTE_UNITS };
  const transaction = compileTransaction(unlimited, PublicKey.default.toBase58());
  const { value } = await reading(connection, options).simulateTransaction(transaction, {
    sigVerify: false,
    replaceRecentBlockhash: true,
    ...(commitment === undefined ? {} : { commitment }),
  });
  const error = simulationError(value, { instructions: transaction, deployment });
  if (error !== null) throw error;
  return unitsIn(value);
}

/** Options of {@link suggestComputeUnitPrice}. */
export interface PriceOptions extends RpcOptions {
  /** Upper limit of the price. Default {@link HIGHEST_SUGGESTED_COMPUTE_UNIT_PRICE}. */
  readonly highest?: bigint | undefined;
}

/**
 * The priority fee that recent transactions on the same accounts paid, in micro-lamports per compute unit. It never
 * exceeds `highest`, because other users can drive up the recent fees, and a node can return any number.
 *
 * @param percentile percentile of the lowest fees that landed in recent slots: 50 is the median, a higher value lands
 *   faster
 * @throws InvalidArgumentError for an argument out of range
 * @throws RpcError, also from a node that does not support `getRecentPrioritizationFees`: a price of 0 works too, and
 *   lands later when the network is busy; the signal's reason
 */
export async function suggestComputeUnitPrice(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  percentile = 50,
  how: PriceOptions = {},
): Promise<bigint> {
  requireKnown('options', how, RPC_OPTIONS, { highest: true });
  const { highest = HIGHEST_SUGGESTED_COMPUTE_UNIT_PRICE, ...options } = how;
  requireInteger('percentile', percentile, 100);
  requireU64('highest', highest);
  const given: unknown = instructions;
  if (!Array.isArray(given)) throw notA('instructions', 'a list of instructions', instructions);
  const writable = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable));
  const unique = new Map(writable.map(({ pubkey }) => [pubkey.toBase58(), pubkey]));
  const node = reading(connection, options);
  const fees = await node.getRecentPrioritizationFees({ lockedWritableAccounts: [...unique.values()] });
  const sorted = fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b);
  const rank = Math.ceil((percentile / 100) * sorted.length) - 1;
  const suggested = BigInt(Math.max(Math.trunc(sorted[Math.max(rank, 0)] ?? 0), 0));
  return suggested < highest ? suggested : highest;
}

/** Options of {@link prepareTransaction}. */
export interface PrepareOptions extends TransactionOptions, RpcOptions {
  /** Added to the simulated compute units, because the state can change until the transaction lands. Default 10. */
  readonly marginPercent?: number | undefined;
}

/**
 * Makes a transaction ready to sign. It sets the compute-unit limit from a simulation, unless given, and a fresh
 * blockhash, or reads the nonce. With a node that does not report consumed compute units, the limit is the highest.
 *
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when the simulation fails
 * @throws InvalidArgumentError as {@link compileTransaction}
 * @throws RpcError; the signal's reason
 */
export async function prepareTransaction(
  connection: Connection,
  parts: TransactionParts,
  how: PrepareOptions = {},
): Promise<PreparedTransaction> {
  requireKnown('options', how, OPTIONS, RPC_OPTIONS, { marginPercent: true });
  const { marginPercent = 10, ...options } = how;
  requireInteger('marginPercent', marginPercent, 1_000);
  requireKnown('parts', parts, PARTS);
  const { commitment, deployment: _, ...limits } = options;
  const [computeUnitLimit, lifetime] = await Promise.all([
    parts.computeUnitLimit ?? withMargin(simulatedUnits(connection, parts, options), marginPercent),
    lifetimeOf(reading(connection, limits), parts, commitment),
  ]);
  const { blockhash, ...rest } = lifetime;
  return {
    transaction: compileTransaction({ ...parts, computeUnitLimit }, blockhash),
    ...rest,
    computeUnitLimit,
  };
}

/** How long a transaction can land: by a fresh blockhash, or by a nonce. */
async function lifetimeOf(
  node: Reader,
  { payer, nonce: account }: TransactionParts,
  commitment: Commitment | undefined,
): Promise<Omit<PreparedTransaction, 'transaction' | 'computeUnitLimit'> & { readonly blockhash: string }> {
  if (account !== undefined) return lifetimeOfNonce(await readNonce(node, account, payer));
  const { context, value } = await node.getLatestBlockhashAndContext(commitment);
  return { ...value, blockhashSlot: context.slot };
}

async function withMargin(units: Promise<number | undefined>, marginPercent: number): Promise<number> {
  return limitOf(await units, marginPercent);
}
