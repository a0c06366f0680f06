// Reads serialized transactions without a Solana library.
import { encodeBase58 } from '../encoding/base58.js';

/** The signatures of a transaction, and the message that they sign. */
export interface WireTransaction {
  readonly signatures: readonly Uint8Array[];
  readonly message: Uint8Array;
}

/** A message of version 0. */
export interface WireMessage {
  readonly requiredSignatures: number;
  readonly accounts: readonly string[];
  readonly instructions: readonly Step[];
  readonly looksUp: boolean;
}

/** An instruction. An account that a lookup table has is undefined. */
export interface Step {
  readonly program: string | undefined;
  readonly accounts: readonly (string | undefined)[];
  readonly data: Uint8Array;
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const HAS_VERSION = 0x80;

/** @throws RangeError for bytes that are too short */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new ByteReader(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  return { signatures, message: reader.rest() };
}

/** The version of a message; undefined for the legacy layout. */
export function versionOf(message: Uint8Array): number | undefined {
  const [first = 0] = message;
  return first < HAS_VERSION ? undefined : first - HAS_VERSION;
}

/** @param message of version 0 @throws RangeError for bytes that are no message */
export function readMessage(message: Uint8Array): WireMessage {
  const reader = new ByteReader(message.subarray(1));
  const [requiredSignatures = 0] = reader.take(3);
  const accounts = reader.list(() => encodeBase58(reader.take(KEY_BYTES)));
  reader.take(KEY_BYTES); // the blockhash
  const instructions = reader.list(() => ({
    program: accounts[reader.byte()],
    accounts: reader.list(() => accounts[reader.byte()]),
    data: reader.take(reader.length()),
  }));
  return { requiredSignatures, accounts, instructions, looksUp: reader.rest()[0] !== 0 };
}

class ByteReader {
  #at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  take(count: number): Uint8Array {
    const taken = this.bytes.slice(this.#at, this.#at + count);
    if (taken.length < count) throw new RangeError('the bytes end too early');
    this.#at += count;
    return taken;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#at);
  }

  /** Seven bits in each byte, the lowest first. */
  length(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      if (shift === 14) throw new RangeError('a length has more than three bytes');
    }
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.length() }, read);
  }
}
