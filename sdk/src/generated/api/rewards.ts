// Generated from the service's OpenAPI document by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import {
  type Reader,
  readAmount,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readString,
} from '../../http/readers.js';

/** Codes of the errors of this API: `code` of an `ApiError`. */
export type RewardsErrorCode =
  | 'CLAIM_ERROR'
  | 'CLAIM_IN_PROGRESS'
  | 'CLAIM_NOT_FOUND'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL_ERROR'
  | 'INVALID_SIGNATURE'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'
  | 'TOKEN_NOT_FOUND'
  | 'VALIDATION_ERROR';

export interface Amounts {
  /** Lamports */
  readonly sol: bigint;
  /** The same in SOL */
  readonly solUi: string;
  /** Smallest units of the token */
  readonly token: bigint;
  /** The same in tokens */
  readonly tokenUi: string;
}

/** @throws ConnectionError unless it is one */
export const readAmounts: Reader<Amounts> = /* @__PURE__ */ readObject({
  sol: readAmount,
  solUi: readString,
  token: readAmount,
  tokenUi: readString,
});

export interface TokenInfo {
  /** The token's address: 32 bytes in base58 */
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  /** URL; empty when there is none */
  readonly image: string;
  /** Of one token: in USD where the service has a source for it, else in SOL; 0 when unknown */
  readonly price: number;
}

/** @throws ConnectionError unless it is one */
export const readTokenInfo: Reader<TokenInfo> = /* @__PURE__ */ readObject({
  address: readString,
  symbol: readString,
  name: readString,
  image: readString,
  price: readNumber,
});

export interface RewardEntry {
  readonly unclaimedRewards: Amounts;
  readonly allTimeRewards: Amounts;
  readonly tokenInfo: TokenInfo;
}

/** @throws ConnectionError unless it is one */
export const readRewardEntry: Reader<RewardEntry> = /* @__PURE__ */ readObject({
  unclaimedRewards: readAmounts,
  allTimeRewards: readAmounts,
  tokenInfo: readTokenInfo,
});

export interface ClaimStatus {
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  readonly message: string;
}

/** @throws ConnectionError unless it is one */
export const readClaimStatus: Reader<ClaimStatus> = /* @__PURE__ */ readObject({
  status: readOneOf('IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED'),
  message: readString,
});

/** Body of a request. */
export interface ClaimRequest {
  /** A token address: 32 bytes in base58 */
  readonly tokenAddress: string;
  /** `SOL` pays the native coin, `TOKEN` the token itself */
  readonly claimType: 'SOL' | 'TOKEN';
  /** Burns the claimed tokens instead of keeping them; not for `SOL` */
  readonly burnToken?: boolean;
}

/** Answer of `getRewards`: All rewards of a wallet. */
export interface GetRewardsAnswer {
  readonly status: 'success';
  readonly data: readonly RewardEntry[];
}

/** @throws ConnectionError unless it is one */
export const readGetRewardsAnswer: Reader<GetRewardsAnswer> = /* @__PURE__ */ readObject({
  status: readOneOf('success'),
  data: readList(readRewardEntry),
});

/** Answer of `getTokenRewards`: Rewards of a wallet of one token. */
export interface GetTokenRewardsAnswer {
  readonly status: 'success';
  readonly data: {
    readonly unclaimedRewards: Amounts;
    readonly allTimeRewards: Amounts;
  };
}

/** @throws ConnectionError unless it is one */
export const readGetTokenRewardsAnswer: Reader<GetTokenRewardsAnswer> = /* @__PURE__ */ readObject({
  status: readOneOf('success'),
  data: readObject({ unclaimedRewards: readAmounts, allTimeRewards: readAmounts }),
});

/** Answer of `getClaimStatus`: How a claim stands. */
export interface GetClaimStatusAnswer {
  readonly status: 'success';
  readonly data: ClaimStatus;
}

/** @throws ConnectionError unless it is one */
export const readGetClaimStatusAnswer: Reader<GetClaimStatusAnswer> = /* @__PURE__ */ readObject({
  status: readOneOf('success'),
  data: readClaimStatus,
});

/** Answer of `initiateClaim`: Claim rewards. */
export interface InitiateClaimAnswer {
  readonly status: 'success';
  readonly data: {
    /** Version 0 transaction in Base64, signed by the treasury; its first signature is the id of the claim */
    readonly tx: string;
  };
}

/** @throws ConnectionError unless it is one */
export const readInitiateClaimAnswer: Reader<InitiateClaimAnswer> = /* @__PURE__ */ readObject({
  status: readOneOf('success'),
  data: readObject({ tx: readString }),
});
