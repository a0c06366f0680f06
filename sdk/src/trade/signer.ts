// The signer of a trade, independent of the Solana library.
import type { PublicKey, VersionedTransaction } from '../chain/types.js';
import type { PreparedTransaction } from '../transactions/prepare.js';

export type Unsigned = Omit<PreparedTransaction, 'computeUnitLimit'>;

/** A wallet, together with the key of a new mint that also signs. */
export type Signer = { readonly publicKey: PublicKey } & (
  | {
      /** Signs. The SDK sends. */
      sign(unsigned: Unsigned, signal: AbortSignal | undefined): Promise<VersionedTransaction>;
    }
  | {
      /** Signs and sends by itself. @returns the signature, in the wallet's own form */
      signAndSend(unsigned: Unsigned): Promise<unknown>;
    }
);
