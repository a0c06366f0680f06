// Addresses as text. These checks need no Solana library.
import { SYSTEM_PROGRAM } from './programs.js';
import { decodeBase58 } from '../encoding/base58.js';
import { InvalidArgumentError, notA } from '../errors/base.js';

/** An address in base58, or a key with this text, such as a PublicKey of web3.js. */
export type AddressLike =
  | string
  | {
      /** The address. */
      toBase58(): string;
    };

const SIZE = 32;
const KIND = `an address, ${SIZE} bytes in base58`;

/** The address in base58. @throws InvalidArgumentError for another value */
export function requireAddress(argument: string, value: AddressLike): string {
  const { toBase58 } = Object(value) as { toBase58?: () => unknown };
  const text = typeof toBase58 === 'function' ? toBase58.call(value) : value;
  if (typeof text !== 'string') throw notA(argument, KIND, value);
  if (isAddress(text)) return text;
  throw new InvalidArgumentError(argument, `is "${text}"; give ${KIND}`);
}

/** @throws InvalidArgumentError as {@link requireAddress}, and for the System program */
export function requireAccountAddress(argument: string, value: AddressLike): string {
  const address = requireAddress(argument, value);
  if (address === SYSTEM_PROGRAM)
    throw new InvalidArgumentError(argument, 'is the all-zero key, which is the System program');
  return address;
}

export function isAddress(text: string): boolean {
  try {
    return decodeBase58(text).length === SIZE;
  } catch {
    return false;
  }
}
