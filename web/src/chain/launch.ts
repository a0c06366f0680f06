import { launch as launchInOneCall, type LaunchTerms } from '@curvekit/sdk/trade';
import { Keypair } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { HIGHEST_COMPUTE_UNIT_PRICE } from '../trade/reserve.js';
import { chainOf } from './connection.js';
import type { Sign } from './types.js';
import { traderWallet } from './wallet.js';

export { uploadPicture } from '@curvekit/sdk/market';

/** A new key for a token's mint. */
export const newMint = () => Keypair.generate();

export interface LaunchOrder extends LaunchTerms {
  readonly mint: Keypair;
  readonly wallet: string;
  readonly sign: Sign;
  readonly onSigned: () => void;
}

export async function launch(config: MarketConfig, { wallet, sign, ...terms }: LaunchOrder): Promise<void> {
  const { connection, deployment } = chainOf(config);
  const rules = { deployment, highestComputeUnitPrice: HIGHEST_COMPUTE_UNIT_PRICE };
  await launchInOneCall(connection, { ...terms, ...rules, wallet: traderWallet(wallet, sign) });
}
