// Off-chain message envelopes of version 0, as hardware wallets sign them, and wrong ones.
import type { Keypair, PublicKey } from '@solana/web3.js';
import type { MessageWallet } from '@curvekit/sdk/rewards';
import { signatureBy } from '#app/keys/ed25519.js';

export interface Envelope {
  readonly text: string;
  readonly version?: number;
  /** 0: printable ASCII. */
  readonly format?: number;
  /** The length that it says. */
  readonly length?: number;
}

/** Ledger's first layout, and that of `solana sign-offchain-message`. */
export function ledgerEnvelope(envelope: Envelope): Buffer {
  return Buffer.concat([head(envelope), Buffer.of(envelope.format ?? 0), textOf(envelope)]);
}

/** The layout with an application's domain and signers. */
export function envelopeOf(
  envelope: Envelope & { readonly signers: readonly PublicKey[]; readonly domain?: Uint8Array },
): Buffer {
  const { signers, domain = Buffer.alloc(32), format = 0 } = envelope;
  const keys = signers.map((signer) => signer.toBytes());
  return Buffer.concat([
    head(envelope),
    domain,
    Buffer.of(format, signers.length),
    ...keys,
    textOf(envelope),
  ]);
}

/** A hardware wallet: signs the text in an envelope, and returns that too. */
export function hardwareWallet(key: Keypair, envelope: (text: string) => Uint8Array): MessageWallet {
  return {
    address: key.publicKey.toBase58(),
    signMessage: (message) => {
      const signedMessage = envelope(Buffer.from(message).toString());
      return Promise.resolve({ signature: signatureBy(key, signedMessage), signedMessage });
    },
  };
}

function head({ version = 0 }: Envelope): Buffer {
  return Buffer.concat([Buffer.from('\xffsolana offchain', 'latin1'), Buffer.of(version)]);
}

function textOf({ text, length = Buffer.byteLength(text) }: Envelope): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16LE(length);
  return Buffer.concat([size, Buffer.from(text)]);
}
