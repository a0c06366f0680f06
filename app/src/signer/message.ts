import { VersionedMessage, type MessageV0 } from '@solana/web3.js';

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
  const named = message.compiledInstructions.flatMap((one) => [one.programIdIndex, ...one.accountKeyIndexes]);
  const missing = named.find((index) => index >= message.staticAccountKeys.length);
  if (missing !== undefined) throw new Refusal(`it names its account ${missing}, which it does not have`);
  return message;
}
