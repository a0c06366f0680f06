import { bytesWallet, launch as launchInOneCall, type LaunchTerms } from '@curvekit/sdk/trade';
import { Keypair } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { chainOf } from './connection.js';
import type { Sign } from './types.js';

export { uploadPicture } from '@curvekit/sdk/market';

/** A new key for a token's mint. */
export const newMint = () => Keypair.generate();

export interface LaunchOrder extends LaunchTerms {
  readonly mint: Keypair;
  readonly wallet: string;
  readonly sign: Sign;
}

export async function launch(config: MarketConfig, { wallet, sign, ...terms }: LaunchOrder): Promise<void> {
  const { connection, deployment } = chainOf(config);
  // The page has shown the network fee without a priority fee.
  const rules = { deployment, computeUnitPrice: 0n };
  await launchInOneCall(connection, { ...terms, ...rules, wallet: bytesWallet(wallet, sign) });
}
