import { VersionedMessage, type MessageV0 } from '@solana/web3.js';
import { LAMPORTS_PER_SIGNATURE } from '../claims/transaction.js';
import type { ClaimMessage } from '../reconciliation/claim-payment.js';

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

/** The message as reconciliation reads it from the chain. */
export function asOnChain(message: MessageV0): ClaimMessage {
  const { header, recentBlockhash, staticAccountKeys, compiledInstructions } = message;
  const keys = staticAccountKeys.map((key) => key.toBase58());
  return {
    version: 0,
    fee: LAMPORTS_PER_SIGNATURE * BigInt(header.numRequiredSignatures),
    signers: keys.slice(0, header.numRequiredSignatures),
    header,
    blockhash: recentBlockhash,
    keys,
    instructions: compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program: keyAt(keys, programIdIndex),
      accounts: accountKeyIndexes.map((index) => keyAt(keys, index)),
      data: Buffer.from(data),
    })),
  };
}

function keyAt(keys: readonly string[], index: number): string {
  const key = keys[index];
  if (key === undefined) throw new Refusal(`it names its account ${index}, which it does not have`);
  return key;
}
