// What a client of the Rewards Claiming API asks for, and what it gets.
import type { AddressLike } from '../../checks/address.js';
import type { OptionNames } from '../../checks/options.js';

/** The rewards to claim. */
export interface ClaimRequest {
  /** The token's mint: the text in `tokenInfo.address`, or a key. */
  readonly tokenAddress: AddressLike;
  readonly claimType: 'SOL' | 'TOKEN';
  /** Burns the claimed tokens instead of keeping them. Not allowed for SOL. */
  readonly burnToken?: boolean | undefined;
  /**
   * The unclaimed amount of this kind that the API reported, in lamports or token units: `sol` or `token` of
   * `unclaimedRewards`. The client refuses a claim that gives less, unless the API reports the rest as still unclaimed.
   * Without this option the client first asks the API, so the wallet must sign one more request.
   */
  readonly unclaimed?: bigint | undefined;
  /** The same key and request get the same answer for 24 hours. Default: a random key. */
  readonly idempotencyKey?: string | undefined;
}

export const CLAIM_REQUEST = {
  tokenAddress: true,
  claimType: true,
  burnToken: true,
  unclaimed: true,
  idempotencyKey: true,
} as const satisfies OptionNames<ClaimRequest>;

/** A claim that the treasury has signed and the wallet has not signed yet. */
export interface InitiatedClaim {
  /** Identifies the claim: pass it to `status`. */
  readonly signature: string;
  /** Serialized. */
  readonly transaction: Uint8Array;
  /**
   * What the wallet receives: lamports after the network fee, or token units, to keep or to burn. It is less than the
   * unclaimed amount when a part is not finalized yet.
   */
  readonly amount: bigint;
}

/** A claim that is paid. */
export type PaidClaim = Pick<InitiatedClaim, 'signature' | 'amount'>;
