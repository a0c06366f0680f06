// Who signs a trade, over whatever library.
import type { PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { PreparedTransaction } from '../transactions.js';

/** A transaction that lacks its signatures. */
export type Unsigned = Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>;

/** What a wallet has done: signed a transaction, or sent it by itself and told the signature. */
export type Signing = { readonly signed: VersionedTransaction } | { readonly sent: string };

/** A wallet, with the key of a new mint that signs beside it. */
export interface Signer {
  readonly publicKey: PublicKey;
  sign(unsigned: Unsigned, signal: AbortSignal | undefined): Promise<Signing>;
}
