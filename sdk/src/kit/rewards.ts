/** Client of the Rewards Claiming API over @solana/kit: `@curvekit/sdk/kit/rewards`. */
export type {
  Amounts,
  ClaimStatus,
  RewardEntry,
  RewardsErrorCode,
  TokenInfo,
} from '../generated/api/rewards.js';
export { UntrustedTransactionError } from '../http/claim-check.js';
export { ApiError, ConnectionError, type FieldProblem } from '../http/errors.js';
export {
  ClaimEndedError,
  ClaimUnknownError,
  type ClaimProgress,
  type ClaimState,
  type SignedClaim,
} from '../http/rewards/claim.js';
export type { RewardsClientOptions, TokenRewards } from '../http/rewards/client.js';
export { isRefusal } from '../http/rewards/errors.js';
export { UnderpaidClaimError } from '../http/rewards/underpaid.js';
export type { SignatureScheme } from '../http/rewards/wallet.js';
export type { TransportOptions } from '../http/transport.js';
export {
  RewardsClient,
  type ClaimOptions,
  type ClaimRequest,
  type ClaimRpc,
  type InitiatedClaim,
  type PaidClaim,
} from './http/rewards.js';
export { MessageNotSignedError, type ClaimingSigner, type MessageSigner } from './http/signers.js';
export { ChangedTransactionError } from '../transactions/check-signed.js';
