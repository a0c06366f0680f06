import type { Idl, IdlConst } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { camelCase, constantCase, plainAccounts, typeOf } from './idl.js';
import { bytesConstant, docComment, header } from './text.js';

/** generated/constants.ts: the constants that are numbers and lists, for code without web3.js. */
export function constantsFile(idl: Idl): string {
  return [header(idl), ...(idl.constants ?? []).filter(isPlain).map(constant)].join('\n');
}

/**
 * generated/program.ts: the address, the constants, and the addresses that are the same for every token.
 *
 * @param source path to sdk/src
 * @param others IDLs whose files already contain some of these addresses
 */
export function programFile(idl: Idl, source: string, others: readonly Idl[] = []): string {
  const constants = idl.constants ?? [];
  return [
    header(idl),
    `import { PublicKey } from '${source}/chain/keys.js';\n`,
    `/** Address of the program. */\nexport const PROGRAM_ADDRESS = ${publicKey(idl.address)};\n`,
    ...(constants.some(isPlain) ? [`export * from './constants.js';\n`] : []),
    ...constants.filter((one) => !isPlain(one)).map(constant),
    ...clusterAddresses(idl, others),
  ].join('\n');
}

/** generated/errors.ts: the program's error table. */
export function errorsFile(idl: Idl): string {
  const rows = (idl.errors ?? []).map(
    ({ code, name, msg }) => `  ${code}: { name: '${name}', message: ${JSON.stringify(msg ?? name)} },`,
  );
  return `${header(idl)}
/** The program's own errors, by code. */
export const PROGRAM_ERRORS = {\n${rows.join('\n')}\n} as const;

/** Codes of the program's own errors. */
export type ProgramErrorCode = keyof typeof PROGRAM_ERRORS;
/** Names of the program's own errors. */
export type ProgramErrorName = (typeof PROGRAM_ERRORS)[ProgramErrorCode]['name'];
`;
}

function isPlain({ type }: IdlConst): boolean {
  return type !== 'pubkey' && type !== 'bytes';
}

function constant({ name, type, value, docs }: IdlConst & { docs?: string[] }): string {
  const comment = docComment(docs);
  if (type === 'bytes') {
    const bytes = JSON.parse(value) as number[];
    return comment + bytesConstant(name, bytes);
  }
  if (type === 'pubkey') return `${comment}export const ${name} = ${publicKey(value)};\n`;
  if (typeof type === 'object' && 'array' in type) {
    const elements = (JSON.parse(value) as number[]).map((element) =>
      literal(type.array[0], String(element)),
    );
    return `${comment}export const ${name} = [${elements.join(', ')}] as const;\n`;
  }
  return `${comment}export const ${name} = ${literal(type, value)};\n`;
}

function literal(type: IdlConst['type'], value: string): string {
  const digits = value.replaceAll('_', '');
  if (!/^-?\d+$/.test(digits)) throw new Error(`constant value ${value} is not supported`);
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, '_');
  return typeOf(type).typescript === 'bigint' ? `${grouped}n` : grouped;
}

/** Programs, sysvars and mints of the cluster: fixed addresses in the IDL that are not constants of this program. */
function clusterAddresses(idl: Idl, others: readonly Idl[]): string[] {
  const own = new Set([idl.address, ...(idl.constants ?? []).map(({ value }) => value)]);
  for (const { address } of others.flatMap((other) => other.instructions.flatMap(plainAccounts)))
    if (address !== undefined) own.add(address);
  const addresses = new Map<string, string>();
  for (const { name, address } of idl.instructions.flatMap(plainAccounts)) {
    if (address !== undefined && !own.has(address)) addresses.set(name, address);
  }
  return [...addresses].sort().map(
    ([name, address]) => `/** The account \`${camelCase(name)}\` of every instruction. */
export const ${constantCase(name)}_ADDRESS = ${publicKey(address)};\n`,
  );
}

function publicKey(address: string): string {
  return `/* @__PURE__ */ new PublicKey('${address}')`;
}
