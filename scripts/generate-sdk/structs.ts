import type { Idl } from '@coral-xyz/anchor/dist/cjs/idl.js';
import {
  camelCase,
  constantCase,
  fieldsOf,
  layoutFields,
  pascalCase,
  structOf,
  structsOf,
  typeOf,
  type Structs,
} from './idl.js';
import { bytesConstant, docComment, header } from './text.js';

interface Struct {
  readonly name: string;
  readonly discriminator: readonly number[];
}

/** generated/accounts.ts: the account structs. `source`: path to sdk/src. */
export function accountsFile(idl: Idl, structs: Structs, source: string): string {
  const accounts = idl.accounts ?? [];
  return [
    header(idl),
    imports(accounts, structs, source),
    ...accounts.map((account) => struct(account, structs)),
  ].join('\n');
}

/** generated/records.ts: the log records, which the IDL calls events. */
export function recordsFile(idl: Idl, structs: Structs, source: string): string {
  const records = idl.events ?? [];
  const known = records.map(
    ({ name }) =>
      `  ${name}: { discriminator: ${constantCase(name)}_DISCRIMINATOR, decode: decode${pascalCase(name)} },`,
  );
  return [
    header(idl),
    imports(records, structs, source),
    ...records.map((record) => struct(record, structs)),
    `/** Every record this version knows, by name. */\nexport const RECORDS = {\n${known.join('\n')}\n} as const;\n`,
  ].join('\n');
}

/** generated/kit/records.ts: the types of the log records, with Kit addresses instead of keys. */
export function kitRecordsFile(idls: readonly Idl[]): string {
  const types = idls.flatMap((idl) =>
    (idl.events ?? []).map(({ name }) => interfaceOf(name, structsOf(idl), { pubkey: 'Address' })),
  );
  return [...idls.map(header), `import type { Address } from '@solana/kit';\n`, ...types].join('\n');
}

/** @param instead TypeScript types that replace the usual ones for IDL types */
function interfaceOf(name: string, structs: Structs, instead: Readonly<Record<string, string>> = {}): string {
  const { docs, fields } = structOf(structs, name);
  const members = fields.map(({ name: field, docs: about, type }) => {
    const other = typeof type === 'string' ? instead[type] : undefined;
    return `${docComment(about)}readonly ${camelCase(field)}: ${other ?? typeOf(type).typescript};\n`;
  });
  return `${docComment(docs)}export interface ${pascalCase(name)} {\n${members.join('')}}\n`;
}

/** An interface, its discriminator, its layout, and functions to decode and encode it. */
function struct({ name, discriminator }: Struct, structs: Structs): string {
  const fields = fieldsOf(structs, name);
  const [type, constant] = [pascalCase(name), constantCase(name)];
  const sizes = fields.map((field) => typeOf(field.type).size);
  const size = sizes.includes(undefined)
    ? ''
    : `/** Bytes of a ${type}, discriminator included. */\nexport const ${constant}_SIZE = ${sizes.reduce((sum: number, bytes) => sum + (bytes ?? 0), discriminator.length)};\n`;
  return `${interfaceOf(name, structs)}
/** First bytes of a ${type}. */
${bytesConstant(`${constant}_DISCRIMINATOR`, discriminator)}
${size}
const ${constant}: Layout<${type}> = { name: '${type}', discriminator: ${constant}_DISCRIMINATOR, fields: ${layoutFields(fields)} };

/** Reads a ${type}, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decode${type}(bytes: Uint8Array): ${type} {
  return decodeLayout(${constant}, bytes);
}

/** Writes a ${type}, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encode${type}(value: ${type}): Uint8Array {
  return encodeLayout(${constant}, 'value', value);
}
`;
}

function imports(items: readonly Struct[], structs: Structs, source: string): string {
  const usesKeys = items.some(({ name }) => fieldsOf(structs, name).some((field) => field.type === 'pubkey'));
  return `${usesKeys ? `import type { PublicKey } from '${source}/chain/types.js';\n` : ''}import { decodeLayout, encodeLayout, type Layout } from '${source}/codec/instruction.js';\n`;
}
