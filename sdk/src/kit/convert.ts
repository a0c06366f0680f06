// Converts between the core's keys and Kit's addresses.
import {
  AccountRole,
  type AccountMeta,
  type AccountSignerMeta,
  type Address,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit';
import { PublicKey } from '../chain/keys.js';
import type { TransactionInstruction } from '../chain/types.js';
import { notA } from '../errors/base.js';
import { CurvekitError } from '../errors/index.js';

/** An instruction with its signers attached, for any Kit message. */
export type SignableInstruction = Instruction<string, readonly (AccountMeta | AccountSignerMeta)[]> & {
  readonly accounts: readonly (AccountMeta | AccountSignerMeta)[];
  readonly data: Uint8Array;
};

/**
 * The core's key of an address. A value that is not an address is returned unchanged, so that the core refuses it and
 * names the argument.
 */
export function keyOf(value: unknown): PublicKey {
  try {
    return new PublicKey(value as string);
  } catch {
    return value as PublicKey;
  }
}

/** @throws InvalidArgumentError unless `value` is a signer */
export function signerKey(argument: string, value: { readonly address: Address } | undefined): PublicKey {
  const address: unknown = (value as { address?: unknown } | null | undefined)?.address;
  if (typeof value !== 'object' || typeof address !== 'string')
    throw notA(argument, 'a TransactionSigner', value);
  return keyOf(address);
}

/** Converts a value of the core for Kit: each key in it becomes an address. */
export function withAddresses(value: unknown): unknown {
  if (value instanceof PublicKey) return value.toBase58();
  return mapped(value, withAddresses);
}

/** The inverse. Only for values whose strings are addresses or words: no word is a valid address. */
export function withKeys(value: unknown): unknown {
  if (typeof value === 'string') return keyOf(value);
  return mapped(value, withKeys);
}

function mapped(value: unknown, map: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(field)]));
}

/** Calls the core, and converts the keys in its errors to addresses. */
export function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translatedError(error);
  }
}

/** Like {@link translated}, for work that takes time. It answers with a promise, as Kit's functions that derive addresses do. */
export async function promised<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translatedError(error);
  }
}

export function translatedError(error: unknown): unknown {
  if (!(error instanceof CurvekitError)) return error;
  for (const [name, key] of Object.entries(error))
    if (key instanceof PublicKey) Object.defineProperty(error, name, { value: key.toBase58() });
  return error;
}

/** Converts the core's instruction for Kit, with the signers that it needs attached. */
export function kitInstruction(
  { programId, keys, data }: TransactionInstruction,
  signers: readonly TransactionSigner[],
): SignableInstruction {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => {
    const address = pubkey.toBase58() as Address;
    const signer = isSigner ? signers.find((one) => one.address === address) : undefined;
    const role = roleOf(isSigner, isWritable);
    return signer === undefined ? { address, role } : { address, role, signer };
  });
  const programAddress = programId.toBase58() as Address;
  return { programAddress, accounts: accounts, data };
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}
