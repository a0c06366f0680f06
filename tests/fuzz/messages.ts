// Transactions in wire format. Each is built once, and only the numbers in its data change.
import { compile, type Call, type Key } from '../differential/call.js';

export interface Message {
  readonly bytes: Buffer;
  /** Where the data of the only call begins. */
  readonly data: number;
}

export class Messages {
  readonly #feePayer: Key;
  readonly #built = new Map<string, Message>();

  constructor(feePayer: Key) {
    this.#feePayer = feePayer;
  }

  /** The message with this name. `call` makes it the first time. */
  named(name: string, call: () => Call): Message {
    const built = this.#built.get(name);
    if (built !== undefined) return built;
    const made = call();
    const bytes = Buffer.from(compile([made], this.#feePayer));
    const message = { bytes, data: bytes.length - made.data.length };
    this.#built.set(name, message);
    return message;
  }
}

/** Writes u64 arguments behind `offset` bytes of data. */
export function withNumbers({ bytes, data }: Message, offset: number, ...numbers: readonly bigint[]): Buffer {
  numbers.forEach((value, index) => bytes.writeBigUInt64LE(value, data + offset + 8 * index));
  return bytes;
}
