import { VersionedMessage, type MessageV0 } from '@solana/web3.js';
import { LAMPORTS_PER_SIGNATURE } from '../claims/transaction.js';
import { messageOnChain, type ClaimMessage } from '../reconciliation/claim-payment.js';

/** A message that is not signed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The message of a version 0 transaction that names all its accounts itself, as the service's do. @throws Refusal */
export function readMessage(bytes: Uint8Array): MessageV0 {
  let message: VersionedMessage;
  try {
    message = VersionedMessage.deserialize(bytes);
  } catch {
    throw new Refusal('it is no message of a transaction');
  }
  if (message.version !== 0 || message.addressTableLookups.length > 0)
    throw new Refusal('the service signs transactions of version 0 without lookup tables only');
  // What follows the message, or is written in another way, would be signed unread.
  if (!Buffer.from(message.serialize()).equals(bytes)) throw new Refusal('it is not in its usual form');
  return message;
}

/** The message as reconciliation reads it from the chain. @throws Refusal */
export function asOnChain(message: MessageV0): ClaimMessage {
  const fee = LAMPORTS_PER_SIGNATURE * BigInt(message.header.numRequiredSignatures);
  try {
    return { ...messageOnChain(message), fee };
  } catch (error) {
    throw error instanceof RangeError ? new Refusal(error.message) : error;
  }
}
