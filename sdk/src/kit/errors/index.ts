// Typed errors of transactions that Kit has sent, simulated or fetched.
import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  type Address,
  type Instruction,
} from '@solana/kit';
import * as core from '../../errors/index.js';
import { transactionError as coreTransactionError, type FailureContext } from '../../transactions/errors.js';
import { coreDeployment, type Deployment } from '../accounts/deployment.js';
import { keyOf } from '../convert.js';
import type { ErrorClass } from './class.js';
import { reasonOf, withNumbers } from './node.js';

/** Known details of the transaction. More details give a more precise error. */
export interface TransactionContext {
  /** The transaction's log. It shows which program failed, also for an inner instruction. */
  readonly logs?: readonly string[] | null | undefined;
  /** The transaction's instructions. They show which one failed. */
  readonly instructions?: readonly Instruction[] | undefined;
  readonly signature?: string | undefined;
  readonly deployment?: Deployment | undefined;
  /** Stored as the `cause` of the typed error. */
  readonly cause?: unknown;
}

/**
 * The typed error for the `err` of a simulation, a signature status or a confirmed transaction's metadata.
 *
 * A code counts as this program's only when the log or the instruction says that this program raised it.
 */
export function transactionError(err: unknown, context: TransactionContext = {}): core.TransactionError {
  requireObject('context', context);
  const { instructions, deployment, ...rest } = context;
  const full: FailureContext = { ...rest, deployment: coreDeployment(deployment) };
  const sent = instructions?.map(({ programAddress, data }) => ({
    programId: keyOf(programAddress),
    data: Uint8Array.from(data ?? []),
  }));
  return coreTransactionError(withNumbers(err), { ...full, instructions: sent });
}

/** The typed error for Kit's error when a node refuses a transaction. Undefined for other errors. */
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
} from '../../errors/index.js';
export { RpcError } from '../../rpc/rpc-error.js';
export { isSlippageError } from '../../transactions/errors.js';
import { requireObject } from '../../checks/options.js';

/** An account that exists but has an unexpected owner, discriminator or length. */
export interface UnexpectedAccountError extends core.CurvekitError {
  readonly address: Address;
}
/** For `instanceof`. */
export const UnexpectedAccountError =
  core.UnexpectedAccountError as unknown as ErrorClass<UnexpectedAccountError>;

/** `TradingClosed` for a quote or trade on a curve that has graduated. It says where the token trades now. */
export interface TradingMovedError extends core.ProgramError {
  /** `graduating`: the pool is not open yet. `unknown`: the operator migrated the curve to a market of their choice. */
  readonly venue: 'graduating' | 'pool' | 'unknown';
  /** Address of the pool, also before it is opened. Undefined when only the operator knows it. */
  readonly poolAddress: Address | undefined;
}
/** For `instanceof`. */
export const TradingMovedError = core.TradingMovedError as unknown as ErrorClass<TradingMovedError>;
