import type { RewardsErrorCode } from '../generated/api/rewards.js';
import { ApiError } from './errors.js';
/** Client of the Rewards Claiming API: `@curvekit/sdk/rewards`. It needs no Solana library. */
export type {
  Amounts,
  ClaimStatus,
  RewardEntry,
  RewardsErrorCode,
  TokenInfo,
} from '../generated/api/rewards.js';
export { UntrustedTransactionError } from './claim-check.js';
export { ApiError, ConnectionError, type FieldProblem } from './errors.js';
export { OtherMessageSignedError, type SignedMessage } from './signed-message.js';
export {
  ClaimEndedError,
  ClaimUnknownError,
  type ClaimConnection,
  type ClaimOptions,
  type ClaimProgress,
  type ClaimRpc,
  type ClaimState,
  type SignedClaim,
} from './rewards/claim.js';
export { RewardsClient, type RewardsClientOptions, type TokenRewards } from './rewards/client.js';
export type { ClaimRequest, InitiatedClaim, PaidClaim } from './rewards/claim-request.js';
export { UnderpaidClaimError } from './rewards/underpaid.js';
export type { SignatureScheme } from './rewards/request-signer.js';
export type { TransportOptions } from './transport.js';
export type { ClaimingWallet, MessageWallet } from './wallets.js';
export type { AddressLike } from '../checks/address.js';
export { ChangedTransactionError } from '../transactions/changed-transaction.js';

/** Whether an error is this API's refusal with this code. */
export function isRefusal(error: unknown, code: RewardsErrorCode): error is ApiError<RewardsErrorCode> {
  return error instanceof ApiError && error.code === code;
}
