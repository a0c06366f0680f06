// Converts a keypair to a wallet for the clients of the service.
import { createPrivateKey, sign } from 'node:crypto';
import type { Keypair } from '@solana/web3.js';
import type { UploadWallet } from '@curvekit/sdk/launch';
import type { ClaimingWallet } from '@curvekit/sdk/rewards';

/** The PKCS #8 header before the 32 bytes of an ed25519 key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

export function clientWallet(keypair: Keypair): ClaimingWallet & UploadWallet {
  const seed = keypair.secretKey.subarray(0, SEED_BYTES);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: keypair.publicKey,
    address: keypair.publicKey.toBase58(),
    signMessage: (message) => Promise.resolve(new Uint8Array(sign(null, message, key))),
    signTransaction: (transaction) => {
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };
}
