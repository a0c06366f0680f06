import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import type { ClaimingWallet } from '@curvekit/sdk/rewards';
import { signText } from './partner-service.js';
import { reward, type RewardsScene } from './rewards.js';

/** A wallet with the interface of a browser adapter. */
export function walletOf(keypair: Keypair): ClaimingWallet {
  return {
    publicKey: keypair.publicKey,
    signMessage: (message) =>
      Promise.resolve(bs58.decode(signText(keypair, Buffer.from(message).toString()))),
    signTransaction: (transaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };
}

/** A new wallet with a reward of the scene's token, in lamports or token base units. */
export async function rewardedWallet(
  { database, mint }: Pick<RewardsScene, 'database' | 'mint'>,
  asset: 'SOL' | 'TOKEN',
  amount: bigint,
): Promise<ClaimingWallet> {
  const keypair = Keypair.generate();
  await reward(database, keypair.publicKey, mint, asset, amount);
  return walletOf(keypair);
}
