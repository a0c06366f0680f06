import type {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { compileTransaction, InvalidArgumentError } from '@curvekit/sdk';
import { nativeSignature } from './native-signature.js';

/** The content of a transaction. The first signer pays. */
export interface TransactionContent {
  readonly instructions: readonly TransactionInstruction[];
  readonly signers: readonly Keypair[];
  readonly addressLookupTables: readonly AddressLookupTableAccount[];
}

/**
 * Creates a signed version 0 transaction.
 *
 * @throws InvalidArgumentError when a signer is missing or not needed, or the transaction is too large.
 */
export function signTransaction(content: TransactionContent, blockhash: string): VersionedTransaction {
  const { instructions, signers, addressLookupTables } = content;
  const [payer] = signers;
  if (payer === undefined)
    throw new InvalidArgumentError('signers', 'is empty; the first signer pays the fee');
  const parts = { payer: payer.publicKey, instructions, lookupTables: [...addressLookupTables] };
  const transaction = compileTransaction(parts, blockhash);
  const { staticAccountKeys, header } = transaction.message;
  const needed = staticAccountKeys.slice(0, header.numRequiredSignatures);
  const given = signers.map(({ publicKey }) => publicKey);
  requireSameKeys(needed, given);
  const message = transaction.message.serialize();
  for (const signer of signers) transaction.addSignature(signer.publicKey, nativeSignature(message, signer));
  return transaction;
}

function requireSameKeys(needed: readonly PublicKey[], given: readonly PublicKey[]): void {
  const missing = needed.find((key) => !given.some((other) => other.equals(key)));
  if (missing !== undefined)
    throw new InvalidArgumentError('signers', `lacks the key of ${missing.toBase58()}`);
  const superfluous = given.find((key) => !needed.some((other) => other.equals(key)));
  if (superfluous !== undefined) {
    throw new InvalidArgumentError(
      'signers',
      `has ${superfluous.toBase58()}, which no instruction asks to sign`,
    );
  }
}
