// Why a trade or a launch cannot be made, with addresses for keys.
import type { Address } from '@solana/kit';
import type { CurvekitError } from '../../errors.js';
import * as core from '../../trade/errors.js';
import type { SolCosts } from '../../trade/errors.js';
import type { ErrorClass } from '../error-class.js';

export type { SolCosts } from '../../trade/errors.js';
export {
  BlockhashExpiredError,
  ChangedTransactionError,
  UnfinishedTransactionError,
} from '../../trade/errors.js';
export { OutcomeUnknownError, TransactionExpiredError } from '../../errors.js';
export { TimeoutError } from '../../timeout.js';

/** The wallet has less SOL than the transaction asks for. Nothing was signed. */
export interface InsufficientSolError extends CurvekitError {
  readonly wallet: Address;
  readonly costs: SolCosts;
  /** Lamports. */
  readonly needed: bigint;
  /** Lamports that the wallet has. */
  readonly available: bigint;
}
/** For `instanceof`. */
export const InsufficientSolError = core.InsufficientSolError as unknown as ErrorClass<InsufficientSolError>;

/** The wallet has fewer tokens than it wants to sell. Nothing was signed. */
export interface InsufficientTokensError extends CurvekitError {
  readonly wallet: Address;
  readonly mint: Address;
  /** Token units. */
  readonly needed: bigint;
  /** Token units that the wallet has. */
  readonly available: bigint;
}
/** For `instanceof`. */
export const InsufficientTokensError =
  core.InsufficientTokensError as unknown as ErrorClass<InsufficientTokensError>;

/** The wallet has no account for the token that it wants to sell. Nothing was signed. */
export interface NoTokenAccountError extends CurvekitError {
  readonly wallet: Address;
  readonly mint: Address;
  /** Where the account would be. */
  readonly address: Address;
}
/** For `instanceof`. */
export const NoTokenAccountError = core.NoTokenAccountError as unknown as ErrorClass<NoTokenAccountError>;

/** The launchpad is not on the cluster of the RPC node, which Kit's clients do not name. Nothing was signed. */
export interface WrongClusterError extends CurvekitError {
  readonly programId: Address;
}
/** For `instanceof`. */
export const WrongClusterError = core.WrongClusterError as unknown as ErrorClass<WrongClusterError>;
