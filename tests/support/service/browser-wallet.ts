import { Keypair, type PublicKey } from '@solana/web3.js';
import { keypairWallet, type KeypairWallet } from '@curvekit/sdk';
import { reward, type RewardsScene } from './rewards.js';

/** A new wallet with a reward of the scene's token, in lamports or token base units. */
export async function rewardedWallet(
  { database, mint }: Pick<RewardsScene, 'database' | 'mint'>,
  asset: 'SOL' | 'TOKEN',
  amount: bigint,
): Promise<KeypairWallet & { readonly publicKey: PublicKey }> {
  const keypair = Keypair.generate();
  await reward(database, keypair.publicKey, mint, asset, amount);
  return { ...keypairWallet(keypair), publicKey: keypair.publicKey };
}
