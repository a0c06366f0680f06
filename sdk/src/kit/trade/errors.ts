// Errors of a trade or a launch, with addresses instead of keys.
import type { Address } from '@solana/kit';
import type { CurvekitError, ProgramError } from '../../errors/index.js';
import * as core from '../../trade/errors.js';
import type { ExcessiveLoss, SolCosts } from '../../trade/errors.js';
import type { ErrorClass } from '../errors/class.js';

export type { SolCosts } from '../../trade/errors.js';
export {
  BlockhashExpiredError,
  ChangedTransactionError,
  UnfinishedTransactionError,
} from '../../trade/errors.js';
export { OutcomeUnknownError, TransactionExpiredError } from '../../errors/index.js';
export { RpcError } from '../../rpc/rpc-error.js';
export { TimeoutError } from '../../time/timeout.js';

/** The wallet has less SOL than the transaction needs. Nothing was signed. */
export interface InsufficientSolError extends CurvekitError {
  readonly wallet: Address;
  readonly costs: SolCosts;
  /** Lamports. */
  readonly needed: bigint;
  /** The wallet's lamports. */
  readonly available: bigint;
}
/** For `instanceof`. */
export const InsufficientSolError = core.InsufficientSolError as unknown as ErrorClass<InsufficientSolError>;

/** The simulated transaction takes more from the wallet than the order says. Nothing was signed. */
export interface ExcessiveLossError extends CurvekitError, ExcessiveLoss<Address> {}
/** For `instanceof`. */
export const ExcessiveLossError = core.ExcessiveLossError as unknown as ErrorClass<ExcessiveLossError>;

/** The wallet has fewer tokens than it wants to sell. Nothing was signed. */
export interface InsufficientTokensError extends CurvekitError {
  readonly wallet: Address;
  readonly mint: Address;
  /** Token units. */
  readonly needed: bigint;
  /** The wallet's token units. */
  readonly available: bigint;
}
/** For `instanceof`. */
export const InsufficientTokensError =
  core.InsufficientTokensError as unknown as ErrorClass<InsufficientTokensError>;

/** The wallet has no account for the token that it wants to sell. Nothing was signed. */
export interface NoTokenAccountError extends CurvekitError {
  readonly wallet: Address;
  readonly mint: Address;
  /** The address of the missing account. */
  readonly address: Address;
}
/** For `instanceof`. */
export const NoTokenAccountError = core.NoTokenAccountError as unknown as ErrorClass<NoTokenAccountError>;

/**
 * `WrongFeeReceiver` (6004) of a simulation: the deployment is not the one that the program was built with. Nothing was
 * signed.
 */
export interface WrongDeploymentError extends ProgramError {
  /** The fee receiver of the given deployment. */
  readonly given: Address;
  /** The program's fee receiver. Undefined when it is neither the graduation program's nor the development key. */
  readonly feeReceiver: Address | undefined;
}
/** For `instanceof`. */
export const WrongDeploymentError = core.WrongDeploymentError as unknown as ErrorClass<WrongDeploymentError>;

/** The RPC node's cluster does not have the launchpad. Kit's clients do not name their cluster. Nothing was signed. */
export interface WrongClusterError extends CurvekitError {
  readonly programId: Address;
}
/** For `instanceof`. */
export const WrongClusterError = core.WrongClusterError as unknown as ErrorClass<WrongClusterError>;
