// Converts Kit's signers for the core.
import {
  type Address,
  type Blockhash,
  getTransactionDecoder,
  getTransactionEncoder,
  isTransactionModifyingSigner,
  isTransactionPartialSigner,
  isTransactionSigner,
  type Nonce,
  type SignaturesMap,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
  type TransactionSigner,
  type TransactionWithBlockhashLifetime,
  type TransactionWithDurableNonceLifetime,
} from '@solana/kit';
import { VersionedTransaction } from '../../chain/transactions.js';
import type {
  AddressLookupTableAccount,
  VersionedTransaction as CoreTransaction,
} from '../../chain/types.js';
import { requireAccountKey, requireKey } from '../../checks/keys.js';
import { requireObject } from '../../checks/options.js';
import { notA } from '../../errors/base.js';
import { InvalidArgumentError } from '../../errors/index.js';
import type { Signer, Unsigned } from '../../trade/signer.js';
import { ChangedTransactionError } from '../../transactions/changed-transaction.js';
import { checkSigned, readSigned } from '../../transactions/check-signed.js';
import { keyOf, signerKey } from '../convert.js';

type Sign = Extract<Signer, { sign: unknown }>['sign'];
type Lifetime = TransactionWithBlockhashLifetime | TransactionWithDurableNonceLifetime;
type Timed = Transaction & Lifetime;

/**
 * Converts a signer for the core. If it can both sign and send, it only signs and the SDK sends.
 *
 * @param cosigners additional signers: the key of a new mint
 * @param tables the lookup tables of its transaction
 * @throws InvalidArgumentError for a value that cannot sign transactions
 */
export function signerOf(
  wallet: TransactionSigner,
  cosigners: readonly TransactionPartialSigner[] = [],
  tables: readonly AddressLookupTableAccount[] = [],
): Signer {
  const publicKey = requireAccountKey('wallet', signerKey('wallet', wallet));
  if (!isTransactionSigner(wallet))
    throw new InvalidArgumentError('wallet', 'must be a TransactionSigner, which signs transactions');
  if (isTransactionPartialSigner(wallet)) {
    const all = [wallet, ...cosigners];
    const sign: Sign = async (unsigned, signal) => coreOf(await signed(timedOf(unsigned), all, signal));
    return { publicKey, sign };
  }
  if (isTransactionModifyingSigner(wallet)) {
    const sign: Sign = async (unsigned, signal) => {
      const config = signal && { abortSignal: signal };
      const [modified] = await wallet.modifyAndSignTransactions([timedOf(unsigned)], config);
      if (modified === undefined) throw new ChangedTransactionError('it returned none');
      checkSigned(unsigned.transaction.serialize(), modifiedBytes(modified), tables);
      // The cosigners sign after the wallet, because the wallet may have added to the transaction.
      return coreOf(await signed({ ...modified, ...lifetimeOf(unsigned) }, cosigners, signal));
    };
    return { publicKey, sign };
  }
  return {
    publicKey,
    signAndSend: async (unsigned) =>
      wallet.signAndSendTransactions([await signed(timedOf(unsigned), cosigners, undefined)]),
  };
}

export function kitTransaction(transaction: CoreTransaction): Transaction {
  return getTransactionDecoder().decode(transaction.serialize());
}

export function coreOf(transaction: Transaction): CoreTransaction {
  requireObject('transaction', transaction);
  if (!ArrayBuffer.isView(transaction.messageBytes))
    throw new InvalidArgumentError('transaction', 'must be a compiled transaction of @solana/kit');
  return VersionedTransaction.deserialize(bytesOf(transaction));
}

function bytesOf(transaction: Transaction): Uint8Array {
  return Uint8Array.from(getTransactionEncoder().encode(transaction));
}

/** @throws ChangedTransactionError for a value that is not a transaction */
function modifiedBytes(modified: Transaction): Uint8Array {
  try {
    return bytesOf(modified);
  } catch {
    throw new ChangedTransactionError('it cannot be written');
  }
}

/** Converts a transaction of the core for Kit, with its lifetime. */
export function timedOf(unsigned: Unsigned): Timed {
  return { ...kitTransaction(unsigned.transaction), ...lifetimeOf(unsigned) };
}

function lifetimeOf({ transaction, lastValidBlockHeight, nonce }: Unsigned): Lifetime {
  if (nonce !== undefined) {
    const { value, account } = nonce;
    return { lifetimeConstraint: { nonce: value as Nonce, nonceAccountAddress: account as Address } };
  }
  const blockhash = transaction.message.recentBlockhash as Blockhash;
  return { lifetimeConstraint: { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) } };
}

async function signed(
  transaction: Timed,
  signers: readonly TransactionPartialSigner[],
  signal: AbortSignal | undefined,
): Promise<Timed> {
  const config = signal && { abortSignal: signal };
  const signing = signers.map((signer) => signer.signTransactions([transaction as never], config));
  const added = (await Promise.all(signing)).map(([signatures]) => signatures);
  return { ...transaction, signatures: Object.assign({}, transaction.signatures, ...added) as SignaturesMap };
}

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
