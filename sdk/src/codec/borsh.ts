// The part of Borsh that the program's interface uses. The generated codecs use these two classes.
import { PublicKey } from '../chain/keys.js';
import { encodeText, requireBoolean, requireInteger, requireKey, requireU64 } from '../checks/keys.js';
import { DecodeError, InvalidArgumentError } from '../errors/index.js';
import { decodeUtf8 } from '../platform/utf8.js';

const I64_MAX = 0x7fff_ffff_ffff_ffffn;
const I64_MIN = -0x8000_0000_0000_0000n;
const PUBLIC_KEY_BYTES = 32;

/** Reads little-endian Borsh values in sequence. @throws DecodeError when the bytes end too early. */
export class ByteReader {
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private offset = 0,
  ) {
    requireBytes(bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether every byte has been read. */
  get atEnd(): boolean {
    return this.offset === this.bytes.length;
  }

  u8(): number {
    return this.view.getUint8(this.advance(1));
  }

  u16(): number {
    return this.view.getUint16(this.advance(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.advance(4), true);
  }

  u64(): bigint {
    return this.view.getBigUint64(this.advance(8), true);
  }

  i64(): bigint {
    return this.view.getBigInt64(this.advance(8), true);
  }

  bool(): boolean {
    const byte = this.u8();
    if (byte > 1) throw new DecodeError(`a boolean is 0 or 1, not ${byte}`);
    return byte === 1;
  }

  string(): string {
    const length = this.u32();
    const start = this.advance(length);
    return decodeUtf8(this.bytes.subarray(start, start + length));
  }

  pubkey(): PublicKey {
    const start = this.advance(PUBLIC_KEY_BYTES);
    return new PublicKey(this.bytes.subarray(start, start + PUBLIC_KEY_BYTES));
  }

  private advance(length: number): number {
    const start = this.offset;
    if (start + length > this.bytes.length) {
      throw new DecodeError(
        `${this.bytes.length} bytes are too few: ${length} more were expected at byte ${start}`,
      );
    }
    this.offset = start + length;
    return start;
  }
}

/** Writes little-endian Borsh values in sequence. @throws InvalidArgumentError that names the argument out of range. */
export class ByteWriter {
  private bytes = new Uint8Array(64);
  private view = new DataView(this.bytes.buffer);
  private length = 0;

  constructor(prefix: Uint8Array) {
    this.append(prefix);
  }

  u8(argument: string, value: number): this {
    requireInteger(argument, value, 0xff);
    const start = this.grow(1); // grow() comes first: it may replace the buffer
    this.view.setUint8(start, value);
    return this;
  }

  u16(argument: string, value: number): this {
    requireInteger(argument, value, 0xffff);
    const start = this.grow(2); // grow() comes first: it may replace the buffer
    this.view.setUint16(start, value, true);
    return this;
  }

  u32(argument: string, value: number): this {
    requireInteger(argument, value, 0xffff_ffff);
    const start = this.grow(4); // grow() comes first: it may replace the buffer
    this.view.setUint32(start, value, true);
    return this;
  }

  u64(argument: string, value: bigint): this {
    requireU64(argument, value);
    const start = this.grow(8); // grow() comes first: it may replace the buffer
    this.view.setBigUint64(start, value, true);
    return this;
  }

  i64(argument: string, value: bigint): this {
    if (typeof value !== 'bigint' || value < I64_MIN || value > I64_MAX) {
      throw new InvalidArgumentError(argument, `must be a bigint from ${I64_MIN} to ${I64_MAX} (i64)`);
    }
    const start = this.grow(8); // grow() comes first: it may replace the buffer
    this.view.setBigInt64(start, value, true);
    return this;
  }

  bool(argument: string, value: boolean): this {
    return this.u8(argument, requireBoolean(argument, value) ? 1 : 0);
  }

  string(argument: string, value: string): this {
    const text = encodeText(argument, value);
    this.u32(argument, text.length);
    return this.append(text);
  }

  pubkey(argument: string, value: PublicKey): this {
    return this.append(requireKey(argument, value).toBytes());
  }

  /** A copy of the written bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  private append(part: Uint8Array): this {
    const start = this.grow(part.length); // grow() comes first: it may replace the buffer
    this.bytes.set(part, start);
    return this;
  }

  /** Makes room for `count` more bytes and returns the offset at which they start. */
  private grow(count: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.bytes.length));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return start;
  }
}

/** @throws DecodeError for another value than bytes */
function requireBytes(bytes: Uint8Array): void {
  // Arrays of other realms, such as Jest's, are no instances of this one's.
  if (!ArrayBuffer.isView(bytes)) throw new DecodeError('there are no bytes to decode');
}

export function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  requireBytes(bytes);
  if (bytes.length < prefix.length) return false;
  for (let index = 0; index < prefix.length; index++) {
    if (bytes[index] !== prefix[index]) return false;
  }
  return true;
}
