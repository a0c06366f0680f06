// Rewards of a wallet. A signed message authorizes reading them, and the service pays for the claim transaction.
import {
  RewardsClient,
  type ClaimOptions,
  type ClaimProgress,
  type ClaimRequest,
  type RewardEntry,
} from '@curvekit/sdk/rewards';
import { timedFetch } from '../clock/device-clock.js';
import type { MarketConfig } from '../market/types.js';
import type { ClaimKind, StoredClaim } from '../rewards/stored-claims.js';
import { chainOf } from './connection.js';
import type { Sign, SignMessage } from './types.js';

export type { ClaimProgress, RewardEntry };

export interface Signer {
  readonly wallet: string;
  readonly sign: Sign;
  readonly signMessage: SignMessage;
}

const client = new RewardsClient({ baseUrl: location.origin, fetch: timedFetch });

const walletOf = ({ wallet, sign, signMessage }: Signer) => ({
  address: wallet,
  signMessage,
  signTransaction: sign,
});

export function readRewards(signer: Signer): Promise<RewardEntry[]> {
  return client.rewards(walletOf(signer));
}

type ClaimOrder = Pick<ClaimRequest, 'unclaimed'> &
  Pick<ClaimOptions, 'onProgress'> & { readonly mint: string; readonly kind: ClaimKind };

/** Resolves when the claim is paid. @throws when the claim ends in another way */
export async function claim(config: MarketConfig, signer: Signer, order: ClaimOrder): Promise<void> {
  const { mint, kind, unclaimed, onProgress } = order;
  const claimType = kind === 'SOL' ? 'SOL' : 'TOKEN';
  await client.claim(
    walletOf(signer),
    { tokenAddress: mint, claimType, burnToken: kind === 'BURN', unclaimed },
    { rpc: (await chainOf(config)).rpc, onProgress },
  );
}

/** Resumes a claim that was signed before the page was loaded. @throws like `claim` */
export async function resumeClaim(
  config: MarketConfig,
  { signature, transaction }: StoredClaim,
  signal: AbortSignal,
): Promise<void> {
  const { rpc } = await chainOf(config);
  return client.follow({ signature, transaction: new Uint8Array(transaction) }, { rpc, signal });
}
