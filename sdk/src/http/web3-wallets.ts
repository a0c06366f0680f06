// A key in memory and a wallet adapter, over web3.js, as wallets of the HTTP clients.
import { VersionedTransaction } from '../chain/transactions.js';
import type { Keypair, PublicKey, VersionedMessage } from '../chain/types.js';
import { requireAccountKey } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import { ChangedTransactionError } from '../transactions/changed-transaction.js';
import type { SignedMessage } from './signed-message.js';
import type { ClaimingWallet } from './wallets.js';

/** A wallet whose signatures of messages are the bytes alone. */
export interface KeypairWallet extends ClaimingWallet {
  /** The ed25519 signature of the bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/**
 * A keypair as a wallet for the clients of the service, and for `uploadPicture`: for bots and servers. web3.js signs, so it
 * works where `crypto.subtle` is missing or cannot sign with ed25519.
 */
export function keypairWallet(keypair: Keypair): KeypairWallet {
  const { secretKey } = Object(keypair) as Partial<Keypair>;
  if (!(secretKey instanceof Uint8Array)) throw new InvalidArgumentError('keypair', 'must be a Keypair');
  return {
    address: keypair.publicKey.toBase58(),
    signMessage: (message) => Promise.resolve(signatureOf(message, keypair)),
    signTransaction: (bytes) => {
      const transaction = VersionedTransaction.deserialize(bytes);
      transaction.sign([keypair]);
      return Promise.resolve(transaction.serialize());
    },
  };
}

/** web3.js signs only transactions: the bytes stand in for those of a transaction's message. */
function signatureOf(message: Uint8Array, keypair: Keypair): Uint8Array {
  const signed = new VersionedTransaction({
    header: { numRequiredSignatures: 1 },
    staticAccountKeys: [keypair.publicKey],
    serialize: () => Uint8Array.from(message),
  } as unknown as VersionedMessage);
  signed.sign([keypair]);
  return signed.signatures[0]!;
}

/** A wallet with the methods of `@solana/wallet-adapter`: also what its `useWallet()` returns. */
export interface WalletAdapter {
  readonly publicKey: PublicKey | null;
  /** Undefined for a wallet that signs no messages. */
  readonly signMessage?: ((message: Uint8Array) => Promise<Uint8Array | SignedMessage>) | undefined;
  /** Undefined for a wallet that cannot claim. */
  readonly signTransaction?:
    ((transaction: VersionedTransaction) => Promise<VersionedTransaction>) | undefined;
}

/**
 * A wallet adapter as a wallet for the clients of the service. One that signs only messages reads rewards and registers
 * with a partner, but cannot claim.
 *
 * @throws InvalidArgumentError for a wallet that is not connected, or signs no messages
 */
export function adapterWallet(adapter: WalletAdapter): ClaimingWallet {
  const { publicKey, signMessage, signTransaction } = Object(adapter) as Partial<WalletAdapter>;
  if (typeof signMessage !== 'function')
    throw new InvalidArgumentError(
      'adapter',
      'must have publicKey and signMessage; this wallet signs no messages',
    );
  if (publicKey === null)
    throw new InvalidArgumentError('adapter.publicKey', 'is null; connect the wallet first');
  const wallet = {
    address: requireAccountKey('adapter.publicKey', publicKey as PublicKey).toBase58(),
    signMessage: (message: Uint8Array) => signMessage.call(adapter, message),
  };
  if (typeof signTransaction !== 'function') return wallet as ClaimingWallet;
  return {
    ...wallet,
    signTransaction: async (bytes) => {
      const signed = await signTransaction.call(adapter, VersionedTransaction.deserialize(bytes));
      if (typeof (signed as Partial<VersionedTransaction> | undefined)?.serialize !== 'function')
        throw new ChangedTransactionError('it returned none');
      return signed.serialize();
    },
  };
}
