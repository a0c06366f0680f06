// Converts web3.js wallets to signers.
import type {
  AddressLookupTableAccount,
  Connection,
  Keypair,
  PublicKey,
  VersionedTransaction,
} from '../chain/types.js';
import { keyFrom, requireAccountKey, requireKey } from '../checks/keys.js';
import { notA } from '../errors/base.js';
import { InvalidArgumentError } from '../errors/index.js';
import { checkSigned, readSigned } from '../transactions/check-signed.js';
import { ChangedTransactionError } from './errors.js';
import type { SendingWallet, SigningWallet, TraderWallet } from './options.js';
import type { Signer } from './signer.js';

/**
 * @param cosigners additional signers: the key of a new mint @param tables of the transaction @throws InvalidArgumentError unless the wallet can sign
 */
export function signerOf(
  connection: Connection,
  wallet: TraderWallet,
  tables: readonly AddressLookupTableAccount[] | undefined,
  cosigners: Keypair[] = [],
): Signer {
  const publicKey = requireWallet(wallet);
  if (isKeypair(wallet)) {
    return {
      publicKey,
      sign({ transaction }) {
        transaction.sign([wallet, ...cosigners]);
        return Promise.resolve(transaction);
      },
    };
  }
  if ('signTransaction' in wallet && typeof wallet.signTransaction === 'function') {
    return {
      publicKey,
      async sign({ transaction }) {
        const asked = transaction.serialize();
        const returned = await wallet.signTransaction(transaction);
        const signed = checkSigned(asked, serialized(returned), tables);
        // The cosigners sign after the wallet, because the wallet may have added to the transaction.
        signed.sign(cosigners);
        return signed;
      },
    };
  }
  return {
    publicKey,
    signAndSend({ transaction }) {
      transaction.sign(cosigners);
      return (wallet as SendingWallet).sendTransaction(transaction, connection);
    },
  };
}

/** @throws ChangedTransactionError when the wallet returned something else */
function serialized(returned: unknown): Uint8Array {
  const { serialize } = Object(returned) as Partial<VersionedTransaction>;
  if (typeof serialize !== 'function') throw new ChangedTransactionError('it returned none');
  try {
    return serialize.call(returned);
  } catch {
    // web3.js reads transactions of version 1, and cannot write them.
    throw new ChangedTransactionError('it cannot be written, such as one of another version');
  }
}

function requireWallet(wallet: TraderWallet): PublicKey {
  const { publicKey, signTransaction, sendTransaction } = Object(wallet) as Partial<
    SigningWallet & SendingWallet
  >;
  const canSign = [signTransaction, sendTransaction].some((call) => typeof call === 'function');
  if (!isKeypair(wallet) && !canSign) {
    throw new InvalidArgumentError(
      'wallet',
      'must be a Keypair, or have publicKey and signTransaction or sendTransaction',
    );
  }
  return requireAccountKey('wallet.publicKey', publicKey as PublicKey);
}

function isKeypair(wallet: TraderWallet): wallet is Keypair {
  return 'secretKey' in Object(wallet);
}

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
