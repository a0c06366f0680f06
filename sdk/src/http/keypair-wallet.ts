// A key in memory as a wallet of the HTTP clients.
import type { Keypair } from '@solana/web3.js';
import type { ClaimingWallet } from './rewards/wallet.js';

/** What comes before the 32 bytes of an ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_HEAD = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const SEED_BYTES = 32;

/** A wallet that signs messages and transactions, with its address as text. */
export interface KeypairWallet extends ClaimingWallet {
  readonly address: string;
}

/**
 * A keypair as a wallet for the clients of the service, and for `uploadPicture`: for bots and servers. Messages are signed
 * by the runtime's WebCrypto (Node 20, current browsers).
 */
export function keypairWallet(keypair: Keypair): KeypairWallet {
  return {
    publicKey: keypair.publicKey,
    address: keypair.publicKey.toBase58(),
    signMessage: async (message) => {
      const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...keypair.secretKey.subarray(0, SEED_BYTES)]);
      const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
      return new Uint8Array(await crypto.subtle.sign('Ed25519', key, Uint8Array.from(message)));
    },
    signTransaction: (transaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };
}
