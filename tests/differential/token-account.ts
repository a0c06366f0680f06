// The bytes of an SPL token account.
import type { Key } from './call.js';

export const TOKEN_ACCOUNT_SIZE = 165;
const AMOUNT = 64;

interface Fields {
  readonly mint?: Key;
  readonly owner?: Key;
  readonly amount?: bigint;
  readonly delegate?: Key;
  readonly closeAuthority?: Key;
  /** Rent of wrapped SOL. */
  readonly native?: bigint;
  /** 0 uninitialised, 1 initialised, 2 frozen. */
  readonly state?: number;
}

export function tokenAccount({
  mint,
  owner,
  amount = 0n,
  delegate,
  closeAuthority,
  native,
  state = 1,
}: Fields): Uint8Array {
  const data = Buffer.alloc(TOKEN_ACCOUNT_SIZE);
  if (mint !== undefined) data.set(mint.bytes, 0);
  if (owner !== undefined) data.set(owner.bytes, 32);
  data.writeBigUInt64LE(amount, AMOUNT);
  writeOption(data, 72, delegate);
  data[108] = state;
  if (native !== undefined) {
    data.writeUInt32LE(1, 109);
    data.writeBigUInt64LE(native, 113);
  }
  writeOption(data, 129, closeAuthority);
  return data;
}

/** Token units in a token account, or 0 for any other data. */
export function amountIn(data: Uint8Array): bigint {
  if (data.length !== TOKEN_ACCOUNT_SIZE) return 0n;
  return Buffer.from(data.buffer, data.byteOffset, data.length).readBigUInt64LE(AMOUNT);
}

function writeOption(data: Buffer, offset: number, key: Key | undefined): void {
  if (key === undefined) return;
  data.writeUInt32LE(1, offset);
  data.set(key.bytes, offset + 4);
}
