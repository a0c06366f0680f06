import { Keypair, PublicKey } from '@solana/web3.js';
import { awsService } from './aws-service.js';
import { gcpService } from './gcp-service.js';
import { localSigner } from './local-signer.js';
import { remoteSigner, type KeyService } from './remote-signer.js';
import type { Signer } from './signer.js';
import type { SignerUrl } from './signer-url.js';
import { socketService } from './socket-service.js';

/** @param key a secret key of 64 bytes, or where another signer is */
export function signerOf(key: Uint8Array | SignerUrl): Signer {
  if (key instanceof Uint8Array) return localSigner(Keypair.fromSecretKey(key));
  return remoteSigner(new PublicKey(key.address), serviceOf(key));
}

function serviceOf(url: SignerUrl): KeyService {
  switch (url.kind) {
    case 'unix':
      return socketService(url);
    case 'aws-kms':
      return awsService(url);
    case 'gcp-kms':
      return gcpService(url);
  }
}
