// The signer of a trade, independent of the Solana library.
import type { PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { PreparedTransaction } from '../transactions.js';

/** A transaction without its signatures. */
export type Unsigned = Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>;

/** The result of a wallet: a signed transaction, or the signature of a transaction that it sent by itself. */
export type Signing = { readonly signed: VersionedTransaction } | { readonly sent: string };

/** A wallet, together with the key of a new mint that also signs. */
export interface Signer {
  readonly publicKey: PublicKey;
  sign(unsigned: Unsigned, signal: AbortSignal | undefined): Promise<Signing>;
}
