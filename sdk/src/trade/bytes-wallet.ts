// Adapts browser wallets to the SDK's wallet interface.
import type { VersionedTransaction } from '../chain/types.js';
import { keyFrom, requireKey } from '../checks/keys.js';
import { notA } from '../errors/base.js';
import { readSigned } from '../transactions/check-signed.js';
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
  const publicKey = requireKey('address', keyFrom('address', address));
  if (typeof sign !== 'function') throw notA('sign', 'a function', sign);
  return {
    publicKey,
    signTransaction: async (transaction: VersionedTransaction) =>
      readSigned(await sign(transaction.serialize())),
  };
}
