// A key in memory as a wallet of the HTTP clients.
import { VersionedTransaction } from '../chain/transactions.js';
import type { Keypair, VersionedMessage } from '../chain/types.js';
import { InvalidArgumentError } from '../errors/index.js';
import type { ClaimingWallet } from './rewards/wallet.js';

/** A wallet that signs messages and transactions, with its address as text. */
export interface KeypairWallet extends ClaimingWallet {
  readonly address: string;
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
    publicKey: keypair.publicKey,
    address: keypair.publicKey.toBase58(),
    signMessage: (message) => Promise.resolve(signatureOf(message, keypair)),
    signTransaction: (transaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
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
