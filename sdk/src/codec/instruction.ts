// Builds an instruction by the lists of its accounts and arguments.
import { newInstruction } from '../chain/keys.js';
import type { AccountMeta, PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireKey } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { DecodeError } from '../errors/index.js';
import { ByteReader, ByteWriter, startsWith } from './borsh.js';

/** `w`: writable. `s`: signer. */
type Flags = '' | 'w' | 's' | 'ws';

/** An instruction: its first bytes, its accounts and its arguments, in this order. */
export interface InstructionLayout<Accounts, Args> extends Layout<Args> {
  readonly accounts: { readonly [Name in keyof Accounts]-?: Flags };
}

/** @throws InvalidArgumentError that names an account that is missing or not a key, or an argument out of range */
export function buildInstruction<Accounts extends object, Args extends object>(
  layout: InstructionLayout<Accounts, Args>,
  programId: PublicKey,
  accounts: Accounts,
  args: Args,
): TransactionInstruction {
  requireObject('accounts', accounts);
  const data = encodeLayout(layout, 'args', args);
  const keys = Object.entries<Flags>(layout.accounts).map(([name, flags]): AccountMeta => ({
    pubkey: requireKey(name, accounts[name as never]),
    isWritable: flags.includes('w'),
    isSigner: flags.includes('s'),
  }));
  return newInstruction(programId, keys, data);
}

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
