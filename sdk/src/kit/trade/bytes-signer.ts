// bytesWallet() over Kit.
import { getTransactionEncoder, type Address, type TransactionModifyingSigner } from '@solana/kit';
import { requireKey } from '../../checks/keys.js';
import { notA } from '../../errors/base.js';
import { readSigned } from '../../transactions/check-signed.js';
import { keyOf } from '../convert.js';
import { kitTransaction } from './wallet.js';

type Modified = Awaited<ReturnType<TransactionModifyingSigner['modifyAndSignTransactions']>>[number];

/**
 * A signer that signs bytes, as wallets of the Wallet Standard do with their feature `solana:signTransaction`.
 *
 * @param address address of the account
 * @param sign adds the account's signature to a serialized transaction
 */
export function bytesSigner<T extends string>(
  address: Address<T>,
  sign: (transaction: Uint8Array) => Promise<Uint8Array>,
): TransactionModifyingSigner<T> {
  requireKey('address', keyOf(address));
  if (typeof sign !== 'function') throw notA('sign', 'a function', sign);
  return {
    address,
    async modifyAndSignTransactions(transactions) {
      const signed: Modified[] = [];
      // One after the other, because a wallet asks its user about each.
      for (const transaction of transactions) {
        const bytes = await sign(Uint8Array.from(getTransactionEncoder().encode(transaction)));
        signed.push({ ...transaction, ...kitTransaction(readSigned(bytes)) } as Modified);
      }
      return signed;
    },
  };
}
