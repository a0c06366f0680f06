import { bytesSigner } from '@curvekit/sdk/kit/trade';
import {
  getTransactionEncoder,
  type Address,
  type SignatureBytes,
  type TransactionSendingSigner,
} from '@solana/kit';
import type { Sign } from './types.js';

/** The connected wallet, as the SDK takes it. */
export function traderWallet(account: string, sign: Sign) {
  const address = account as Address;
  if (sign.sends !== true) return bytesSigner(address, sign);
  return {
    address,
    // The SDK takes an answer without a signature too.
    signAndSendTransactions: async ([transaction]) =>
      [await sign(Uint8Array.from(getTransactionEncoder().encode(transaction!)))] as SignatureBytes[],
  } satisfies TransactionSendingSigner;
}
