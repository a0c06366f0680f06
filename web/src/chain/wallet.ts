import { bytesWallet, type TraderWallet } from '@curvekit/sdk/trade';
import { PublicKey } from '@solana/web3.js';
import type { Sign } from './types.js';

/** The connected wallet, as the SDK takes it. */
export function traderWallet(address: string, sign: Sign): TraderWallet {
  if (sign.sends !== true) return bytesWallet(address, sign);
  return {
    publicKey: new PublicKey(address),
    // The SDK takes a signature in any form.
    sendTransaction: (transaction) => sign(transaction.serialize()) as unknown as Promise<string>,
  };
}
