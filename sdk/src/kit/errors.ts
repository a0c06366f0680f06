// Typed errors of transactions that Kit has sent, simulated or fetched.
import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  type Address,
  type Instruction,
} from '@solana/kit';
import * as core from '../errors.js';
import { transactionError as coreTransactionError, type FailureContext } from '../transaction-errors.js';
import { keyOf } from './convert.js';
import { coreDeployment, type Deployment } from './deployment.js';
import type { ErrorClass } from './error-class.js';
import { reasonOf, withNumbers } from './node-errors.js';

/** What the caller knows about the transaction. The more, the better the error says what failed. */
export interface TransactionContext {
  /** The transaction's log. Tells which program failed, inside an instruction of another one too. */
  readonly logs?: readonly string[] | null | undefined;
  /** The transaction's instructions. Tell which one failed. */
  readonly instructions?: readonly Instruction[] | undefined;
  readonly signature?: string | undefined;
  readonly deployment?: Deployment | undefined;
  /** Kept as the `cause` of the typed error. */
  readonly cause?: unknown;
}

/**
 * The typed error for the `err` of a simulation, a signature status or a confirmed transaction's metadata.
 *
 * A code counts as this program's only when the log or the instruction says that this program raised it.
 */
export function transactionError(err: unknown, context: TransactionContext = {}): core.TransactionError {
  const { instructions, deployment, ...rest } = context;
  const full: FailureContext = { ...rest, deployment: coreDeployment(deployment) };
  const sent = instructions?.map(({ programAddress, data }) => ({
    programId: keyOf(programAddress),
    data: Uint8Array.from(data ?? []),
  }));
  return coreTransactionError(withNumbers(err), { ...full, instructions: sent });
}

/** The typed error behind what Kit throws when a node refuses a transaction; undefined when it is something else. */
export function sendError(
  error: unknown,
  context: TransactionContext = {},
): core.TransactionError | undefined {
  if (!isSolanaError(error)) return undefined;
  const { cause } = error;
  if (!isSolanaError(cause)) return undefined;
  const { index, code } = cause.context as { readonly index?: number; readonly code?: number };
  const logs = context.logs ?? (error.context as { readonly logs?: readonly string[] }).logs;
  const full = { cause: error, ...context, logs };
  if (index === undefined) return transactionError(reasonOf(cause), full);
  const isCustom = isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM);
  return transactionError({ InstructionError: [index, isCustom ? { Custom: code } : reasonOf(cause)] }, full);
}

export {
  CurvekitError,
  DecodeError,
  FrameworkError,
  GraduationError,
  IncompleteTransactionError,
  InstructionError,
  InvalidArgumentError,
  isProgramError,
  ProgramError,
  TransactionError,
} from '../errors.js';
export { isSlippageError } from '../transaction-errors.js';

/** An account that exists but is not what its address promises: wrong owner, discriminator or length. */
export interface UnexpectedAccountError extends core.CurvekitError {
  readonly address: Address;
}
/** For `instanceof`. */
export const UnexpectedAccountError =
  core.UnexpectedAccountError as unknown as ErrorClass<UnexpectedAccountError>;

/** `TradingClosed`, with where the token trades instead: a quote or a trade on a curve that has graduated. */
export interface TradingMovedError extends core.ProgramError {
  /** `graduating`: the pool is not open yet. `unknown`: the operator has migrated the curve to a market of their choice. */
  readonly venue: 'graduating' | 'pool' | 'unknown';
  /** Address of the pool, open or still to be opened; undefined where only the operator knows it. */
  readonly poolAddress: Address | undefined;
}
/** For `instanceof`. */
export const TradingMovedError = core.TradingMovedError as unknown as ErrorClass<TradingMovedError>;
