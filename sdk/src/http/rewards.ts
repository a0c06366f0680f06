/** Client of the Rewards Claiming API: `@curvekit/sdk/rewards`. */
export type {
  Amounts,
  ClaimStatus,
  RewardEntry,
  RewardsErrorCode,
  TokenInfo,
} from '../generated/api/rewards.js';
export { UntrustedTransactionError } from './claim-check.js';
export { ApiError, ConnectionError, type FieldProblem } from './errors.js';
export { keypairWallet, type KeypairWallet } from './keypair-wallet.js';
export { OtherMessageSignedError, type SignedMessage } from './signed-message.js';
export {
  ClaimEndedError,
  ClaimUnknownError,
  type ClaimOptions,
  type ClaimProgress,
  type ClaimState,
  type SignedClaim,
} from './rewards/claim.js';
export { RewardsClient, type RewardsClientOptions, type TokenRewards } from './rewards/client.js';
export type { ClaimRequest, InitiatedClaim, PaidClaim } from './rewards/claim-request.js';
export { isRefusal } from './rewards/errors.js';
export { UnderpaidClaimError } from './rewards/underpaid.js';
export type { ClaimingWallet, RewardsWallet, SignatureScheme } from './rewards/wallet.js';
export type { TransportOptions } from './transport.js';
export { ChangedTransactionError } from '../transactions/check-signed.js';
