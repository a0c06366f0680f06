// Converts web3.js wallets to signers.
import type { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { InvalidArgumentError } from '../errors.js';
import { requireAccountKey } from '../validation.js';
import { checkSigned } from './check-signed.js';
import type { SendingWallet, SigningWallet, TraderWallet } from './options.js';
import type { Signer } from './signer.js';

/**
 * @param cosigners additional signers: the key of a new mint @throws InvalidArgumentError unless the wallet can sign
 */
export function signerOf(connection: Connection, wallet: TraderWallet, cosigners: Keypair[] = []): Signer {
  const publicKey = requireWallet(wallet);
  return {
    publicKey,
    async sign({ transaction }) {
      if (isKeypair(wallet)) {
        transaction.sign([wallet, ...cosigners]);
        return { signed: transaction };
      }
      if ('signTransaction' in wallet && typeof wallet.signTransaction === 'function') {
        const asked = transaction.serialize();
        const returned = await wallet.signTransaction(transaction);
        const signed = checkSigned(asked, returned.serialize());
        // The cosigners sign after the wallet, because the wallet may have added to the transaction.
        signed.sign(cosigners);
        return { signed };
      }
      transaction.sign(cosigners);
      return { sent: await (wallet as SendingWallet).sendTransaction(transaction, connection) };
    },
  };
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
