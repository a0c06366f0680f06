// Rewards of a wallet: read by a signature, claimed by a transaction that the service pays for.
import { RewardsClient, type ClaimProgress, type RewardEntry } from '@curvekit/sdk/rewards';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import type { ClaimKind, KeptClaim } from '../rewards/kept-claims.js';
import { chainOf } from './connection.js';
import { checkSigned } from './check-signed.js';
import type { Sign } from './types.js';

export type { RewardEntry };

export interface Signer {
  readonly wallet: string;
  readonly sign: Sign;
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>;
}

const client = new RewardsClient({ baseUrl: location.origin });
const LOOK_MS = 2_000;

export function readRewards({ wallet, signMessage }: Signer): Promise<RewardEntry[]> {
  return client.rewards({ publicKey: new PublicKey(wallet), signMessage });
}

interface ClaimOrder {
  readonly mint: string;
  readonly kind: ClaimKind;
  /** What the service said is unclaimed: it must not pay less. */
  readonly unclaimed?: bigint | undefined;
  readonly onStage: (stage: string) => void;
  /** It is signed: keep it. */
  readonly onSigned: (claim: Pick<KeptClaim, 'signature' | 'transaction'>) => void;
}

/** Ends when the claim is paid. @throws when it ends otherwise */
export async function claim(config: MarketConfig, signer: Signer, order: ClaimOrder): Promise<void> {
  const { mint, kind, unclaimed, onStage, onSigned } = order;
  let signed: Uint8Array | undefined;
  await client.claim(
    {
      publicKey: new PublicKey(signer.wallet),
      signMessage: signer.signMessage,
      signTransaction: async (unsigned) => {
        const transaction = checkSigned(unsigned, await signer.sign(unsigned.serialize()));
        signed = transaction.serialize();
        return transaction;
      },
    },
    {
      tokenAddress: new PublicKey(mint),
      claimType: kind === 'SOL' ? 'SOL' : 'TOKEN',
      burnToken: kind === 'BURN',
      unclaimed,
    },
    {
      connection: chainOf(config).connection,
      onProgress: (progress) => {
        if (progress.stage === 'signed' && signed !== undefined)
          onSigned({ signature: progress.signature, transaction: [...signed] });
        onStage(stageOf(progress));
      },
    },
  );
}

/** Goes on with a claim that was signed before the page was opened. @returns how it ended */
export async function resumeClaim(
  config: MarketConfig,
  { signature, transaction }: KeptClaim,
  signal: AbortSignal,
): Promise<'COMPLETED' | 'FAILED' | 'EXPIRED'> {
  const { connection } = chainOf(config);
  const bytes = VersionedTransaction.deserialize(new Uint8Array(transaction)).serialize();
  for (;;) {
    // The same transaction never lands twice.
    await connection.sendRawTransaction(bytes, { skipPreflight: true, maxRetries: 0 }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    signal.throwIfAborted();
    const status = await client.status(signature, signal).then(
      (answer) => answer.status,
      () => 'IN_PROGRESS' as const,
    );
    if (status !== 'IN_PROGRESS') return status;
  }
}

const stageOf = (progress: ClaimProgress) => (progress.stage === 'status' ? progress.status : progress.stage);
