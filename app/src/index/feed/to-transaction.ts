// Turns the bytes of a feed's transaction into what the SDK reads records from. Instruction data stay bytes.
import type { ConfirmedTransaction } from '@curvekit/sdk';
import { textOfBytes } from '../trades/key-text.js';
import { decodeMeta, decodeTransaction, type FeedInstruction } from './messages.js';

/** A transaction of the feed, not decoded yet. */
export interface Body {
  readonly signature: string;
  readonly signatureBytes: Uint8Array;
  readonly slot: number;
  readonly transaction: Uint8Array;
  readonly meta: Uint8Array;
}

const DATA_LINE = Buffer.from('Program data: ');

/** @throws an error for a transaction that failed, that lacks a part, or that is another one */
export function toTransaction({
  signature,
  signatureBytes,
  slot,
  transaction,
  meta,
}: Body): ConfirmedTransaction<string | Uint8Array> {
  const { signatures, message } = decodeTransaction(transaction);
  const parts = decodeMeta(meta);
  if (message === null || message === undefined) throw new Error('it has no message');
  if (signatures[0] === undefined || Buffer.compare(signatures[0], signatureBytes) !== 0)
    throw new Error('it is another transaction');
  if (parts.err.length > 0) throw new Error('it failed');
  if (parts.innerInstructionsNone || parts.logMessagesNone)
    throw new Error('it has no inner instructions, or no log');
  return {
    slot,
    version: message.versioned ? 0 : 'legacy',
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: message.accountKeys.map(textOfBytes),
        instructions: message.instructions.map(instruction),
      },
    },
    meta: {
      err: null,
      innerInstructions: parts.innerInstructions.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map(instruction),
      })),
      logMessages: logLines(parts.logMessages),
      loadedAddresses: {
        writable: parts.loadedWritable.map(textOfBytes),
        readonly: parts.loadedReadonly.map(textOfBytes),
      },
    },
  };
}

/** Records are only read from lines with data, which few transactions have. */
function logLines(lines: readonly Uint8Array[]): string[] {
  const hasData = lines.some((line) => DATA_LINE.equals(line.subarray(0, DATA_LINE.length)));
  return hasData ? lines.map((line) => Buffer.from(line).toString('utf8')) : [];
}

function instruction({ programIdIndex, accounts, data }: FeedInstruction) {
  return { programIdIndex, accounts: [...accounts], data };
}
