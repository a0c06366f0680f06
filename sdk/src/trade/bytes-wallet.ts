// Adapts browser wallets to the SDK's wallet interface.
import { PublicKey, type VersionedTransaction } from '@solana/web3.js';
import { readSigned } from './check-signed.js';
import type { SigningWallet } from './options.js';

/**
 * A wallet that signs bytes, as wallets of the Wallet Standard do with their feature `solana:signTransaction`.
 *
 * @param address address of the account, in base58
 * @param sign adds the account's signature to a serialized transaction
 */
export function bytesWallet(
  address: string,
  sign: (transaction: Uint8Array) => Promise<Uint8Array>,
): SigningWallet {
  return {
    publicKey: new PublicKey(address),
    signTransaction: async (transaction: VersionedTransaction) =>
      readSigned(await sign(transaction.serialize())),
  };
}
