import { launch as launchInOneCall, type LaunchParams } from '@curvekit/sdk/kit/trade';
import { generateKeyPairSigner } from '@solana/kit';
import type { MarketConfig } from '../market/types.js';
import { HIGHEST_COMPUTE_UNIT_PRICE } from '../trade/reserve.js';
import { chainOf } from './connection.js';
import type { Sign } from './types.js';
import { traderWallet } from './wallet.js';

export { uploadPicture } from '@curvekit/sdk/market';

/** A new key for a token's mint. */
export const newMint = () => generateKeyPairSigner();

export interface LaunchOrder extends Omit<LaunchParams, 'wallet'> {
  readonly wallet: string;
  readonly sign: Sign;
  readonly onSigned: () => void;
}

export async function launch(config: MarketConfig, { wallet, sign, ...terms }: LaunchOrder): Promise<void> {
  const { rpc, deployment } = await chainOf(config);
  const rules = { deployment, highestComputeUnitPrice: HIGHEST_COMPUTE_UNIT_PRICE };
  await launchInOneCall(rpc, { ...terms, ...rules, wallet: traderWallet(wallet, sign) });
}
