import { launch as launchInOneCall, type LaunchParams } from '@curvekit/sdk/kit/trade';
import { generateKeyPairSigner, type TransactionPartialSigner } from '@solana/kit';
import { loaded } from '../load.js';
import type { MarketConfig } from '../market/types.js';
import { HIGHEST_COMPUTE_UNIT_PRICE } from '../trade/reserve.js';
import { chainOf } from './connection.js';
import type { Sign } from './types.js';
import { traderWallet } from './wallet.js';

export { chooseFeeShare, uploadPicture } from '@curvekit/sdk/market';

/** A new key for a token's mint. */
export async function newMint(): Promise<TransactionPartialSigner> {
  try {
    return await generateKeyPairSigner();
  } catch {
    return (await loaded(() => import('./mint-key.js'))).mintKey();
  }
}

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
