import { readFileSync } from 'node:fs';
import type { Idl, IdlField, IdlInstructionAccount, IdlType } from '@coral-xyz/anchor/dist/cjs/idl.js';

/** A struct with named fields. */
interface Struct {
  readonly docs: readonly string[];
  readonly fields: readonly IdlField[];
}

/** The structs of an IDL by name. */
export type Structs = ReadonlyMap<string, Struct>;

/** Reads an IDL of spec 0.1.0. */
export function readIdl(path: string): Idl {
  const idl = JSON.parse(readFileSync(path, 'utf8')) as Idl;
  if (idl.metadata.spec !== '0.1.0')
    throw new Error(`${path}: IDL spec ${idl.metadata.spec}; only 0.1.0 is supported`);
  return idl;
}

export function structsOf(idl: Idl): Structs {
  const structs = new Map<string, Struct>();
  for (const { name, docs = [], type } of idl.types ?? []) {
    if (type.kind !== 'struct') throw new Error(`type ${name}: a ${type.kind} is not supported`);
    structs.set(name, { docs, fields: (type.fields ?? []).map((field) => namedField(name, field)) });
  }
  return structs;
}

export function structOf(structs: Structs, name: string): Struct {
  const struct = structs.get(name);
  if (struct === undefined) throw new Error(`the IDL has no type ${name}`);
  return struct;
}

export function fieldsOf(structs: Structs, name: string): readonly IdlField[] {
  return structOf(structs, name).fields;
}

/** The accounts of an instruction, with groups flattened. @throws for an optional account, which is not supported */
export function plainAccounts({ name, accounts }: Idl['instructions'][number]): IdlInstructionAccount[] {
  return flattened(accounts).map((account) => {
    if (account.optional === true)
      throw new Error(`instruction ${name}: account ${account.name} is optional`);
    return account;
  });
}

function flattened(accounts: Idl['instructions'][number]['accounts']): IdlInstructionAccount[] {
  return accounts.flatMap((account) => ('accounts' in account ? flattened(account.accounts) : [account]));
}

/** `after_migration_fee` → `afterMigrationFee`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** `buy_token` and `buyToken` → `BuyToken`. */
export function pascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `TokenOwnerData` and `buy_token` → `TOKEN_OWNER_DATA`, `BUY_TOKEN`. */
export function constantCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

interface TypeOfValue {
  /** The TypeScript type. */
  readonly typescript: string;
  /** The method of ByteReader and ByteWriter. */
  readonly method: string;
  /** Number of bytes, or undefined when it varies. */
  readonly size: number | undefined;
}

const TYPES: Readonly<Partial<Record<string, TypeOfValue>>> = {
  bool: { typescript: 'boolean', method: 'bool', size: 1 },
  u8: { typescript: 'number', method: 'u8', size: 1 },
  u16: { typescript: 'number', method: 'u16', size: 2 },
  u32: { typescript: 'number', method: 'u32', size: 4 },
  u64: { typescript: 'bigint', method: 'u64', size: 8 },
  i64: { typescript: 'bigint', method: 'i64', size: 8 },
  pubkey: { typescript: 'PublicKey', method: 'pubkey', size: 32 },
  string: { typescript: 'string', method: 'string', size: undefined },
};

/** The TypeScript type and the encoding of an IDL type. @throws for an unknown type */
export function typeOf(type: IdlType): TypeOfValue {
  const known = typeof type === 'string' ? TYPES[type] : undefined;
  if (known === undefined)
    throw new Error(`IDL type ${JSON.stringify(type)} is not supported: add it to TYPES`);
  return known;
}

/** The fields of a Layout, as TypeScript. */
export function layoutFields(fields: readonly IdlField[]): string {
  return `{ ${fields.map(({ name, type }) => `${camelCase(name)}: '${typeOf(type).method}',`).join(' ')} }`;
}

function namedField(struct: string, field: IdlField | IdlType): IdlField {
  if (typeof field === 'string' || !('name' in field))
    throw new Error(`type ${struct}: a tuple is not supported`);
  return field;
}
