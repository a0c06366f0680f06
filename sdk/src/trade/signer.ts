// Who signs a trade, over whatever library.
import type { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { InvalidArgumentError } from '../errors.js';
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

/**
 * A wallet may add a priority fee or a guard. Another payer or blockhash cannot be followed.
 *
 * @param method of the wallet
 * @throws InvalidArgumentError
 */
export function requireSame(
  method: string,
  { message: asked }: VersionedTransaction,
  { message: signed }: VersionedTransaction,
): void {
  const [payer] = signed.staticAccountKeys;
  if (payer === undefined || !asked.staticAccountKeys[0]!.equals(payer))
    throw new InvalidArgumentError(method, 'returned a transaction that another account pays for');
  if (signed.recentBlockhash === asked.recentBlockhash) return;
  throw new InvalidArgumentError(
    method,
    'returned a transaction with another blockhash; a wallet that changes it must send by itself',
  );
}
