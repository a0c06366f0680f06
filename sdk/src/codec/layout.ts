// Reads and writes a struct of the program's interface by the list of its fields.
import { requireObject } from '../checks/options.js';
import { DecodeError } from '../errors/index.js';
import { ByteReader, ByteWriter, startsWith } from './borsh.js';

/** A Borsh type, by the name of its method in ByteReader and ByteWriter. */
type FieldType = 'bool' | 'u8' | 'u16' | 'u32' | 'u64' | 'i64' | 'pubkey' | 'string';

/** A struct, or an instruction's arguments: its first bytes, and then its fields in this order. */
export interface Layout<T> {
  /** For errors of the decoder. */
  readonly name?: string;
  readonly discriminator: Uint8Array;
  readonly fields: { readonly [Name in keyof T]: FieldType };
}

/** Bytes after the struct are ignored. @throws DecodeError when the bytes are not such a struct */
export function decodeLayout<T>({ name, discriminator, fields }: Layout<T>, bytes: Uint8Array): T {
  if (!startsWith(bytes, discriminator))
    throw new DecodeError(`these bytes are no ${name}: the discriminator differs`);
  const reader = new ByteReader(bytes, discriminator.length);
  const value: Partial<T> = {};
  for (const field in fields) value[field] = reader[fields[field]]() as never;
  return value as T;
}

/** @throws InvalidArgumentError that names a field out of range */
export function encodeLayout<T>(
  { discriminator, fields }: Layout<T>,
  argument: string,
  value: T,
): Uint8Array<ArrayBuffer> {
  requireObject(argument, value);
  const writer = new ByteWriter(discriminator);
  for (const field in fields) writer[fields[field]](field, value[field] as never);
  return writer.finish();
}
