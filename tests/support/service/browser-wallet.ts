import { type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import type { ClaimingWallet } from '@curvekit/sdk/rewards';
import { signText } from '#tests/service/partner-service.js';

/** A wallet as a browser's adapter is one. */
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
