// The key of a mint where the browser makes none: Chrome before 137, Firefox before 129, and pages without https.
import { ed25519 } from '@noble/curves/ed25519';
import { getAddressDecoder, type SignatureBytes, type TransactionPartialSigner } from '@solana/kit';

export function mintKey(): TransactionPartialSigner {
  const secret = ed25519.utils.randomPrivateKey();
  const address = getAddressDecoder().decode(ed25519.getPublicKey(secret));
  const sign = (message: Uint8Array) => ({ [address]: ed25519.sign(message, secret) as SignatureBytes });
  return {
    address,
    signTransactions: (all) =>
      Promise.resolve(all.map(({ messageBytes }) => sign(new Uint8Array(messageBytes)))),
  };
}
