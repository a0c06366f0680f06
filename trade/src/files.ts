// Reads the files that options name: a keypair, a deployment, a picture.
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey } from '@solana/web3.js';
import {
  createDeployment,
  DEFAULT_DEPLOYMENT,
  KEY_HELD_DEPLOYMENT,
  InvalidArgumentError,
  type Deployment,
} from '@curvekit/sdk';
import { UsageError } from './errors.js';

const SECRET_BYTES = 64;

/** A keypair: a JSON array of 64 numbers, as Solana's command line has it, or base58, as wallets export it. Errors never quote the file. */
export function readKeypair(argument: string, path: string): Keypair {
  const text = decoded(read(argument, path));
  const rule = 'a JSON array of 64 numbers, as `solana-keygen new` writes it';
  const bytes: unknown = base58Key(text.trim()) ?? parsedJson(argument, path, text, rule);
  const isKey =
    Array.isArray(bytes) &&
    bytes.length === SECRET_BYTES &&
    bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  if (!isKey) {
    throw new UsageError(
      argument,
      `${path} is no keypair; it must be a JSON array of 64 numbers from 0 to 255`,
    );
  }
  try {
    return Keypair.fromSecretKey(Uint8Array.from(bytes as number[]));
  } catch {
    throw new UsageError(argument, `${path} is no keypair: its public key does not belong to its secret key`);
  }
}

const KEYS = ['programId', 'admin', 'feeReceiver', 'dexOwner'] as const;
const GRADUATION_KEYS = ['programId', 'treasury'] as const;

/** `default`, `key-held`, or a JSON file with the addresses of another build. */
export function readDeployment(argument: string, text: string): Deployment {
  if (text === 'default') return DEFAULT_DEPLOYMENT;
  if (text === 'key-held') return KEY_HELD_DEPLOYMENT;
  const rule = `default, key-held, or a JSON file with ${KEYS.join(', ')} and graduation.${GRADUATION_KEYS.join(', graduation.')}`;
  const { graduation, ...curve } = objectOf(argument, text, readJson(argument, text, rule));
  const overrides = {
    ...keysOf(argument, '', curve, KEYS),
    ...(graduation !== undefined && {
      graduation: keysOf(argument, 'graduation.', objectOf(argument, text, graduation), GRADUATION_KEYS),
    }),
  };
  try {
    return createDeployment(overrides);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(argument, `${text}: ${error.message}`);
  }
}

function objectOf(argument: string, path: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError(argument, `${path} must hold a JSON object`);
}

function keysOf(
  argument: string,
  prefix: string,
  values: Record<string, unknown>,
  names: readonly string[],
): Record<string, PublicKey> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = prefix + name;
      if (!names.includes(name))
        throw new UsageError(argument, `has a field ${field}; it can have ${names.join(', ')}`);
      try {
        return [name, new PublicKey(value as string)];
      } catch {
        throw new UsageError(
          argument,
          `has ${field} '${String(value)}'; it must be a base58 address of 32 bytes`,
        );
      }
    }),
  );
}

const MOST_PICTURE_BYTES = 4 * 1024 * 1024;
const PICTURE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** A picture of at most 4 MiB. Its type comes from the file name. */
export function readPicture(argument: string, path: string): Blob {
  const type = PICTURE_TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (type === undefined)
    throw new UsageError(argument, `is '${path}'; it must end with .png, .jpg, .jpeg, .webp or .gif`);
  const bytes = read(argument, path);
  if (bytes.length > MOST_PICTURE_BYTES) {
    const problem = `${path} has ${bytes.length} bytes; at most ${MOST_PICTURE_BYTES} are taken, so make the picture smaller`;
    throw new UsageError(argument, problem);
  }
  return new Blob([new Uint8Array(bytes)], { type });
}

function readJson(argument: string, path: string, rule: string): unknown {
  return parsedJson(argument, path, decoded(read(argument, path)), rule);
}

function parsedJson(argument: string, path: string, text: string, rule: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(argument, `${path} is not JSON; it must be ${rule}`);
  }
}

/** Editors and PowerShell save byte order marks and UTF-16. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

function read(argument: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(argument, `${path} cannot be read (${code}); check the path`);
  }
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 64 bytes in base58, as Phantom exports a key. */
const KEY = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/;

/** The 64 bytes of a key in base58; undefined for other text. */
function base58Key(text: string): number[] | undefined {
  if (!KEY.test(text)) return undefined;
  let number = 0n;
  for (const digit of text) number = number * 58n + BigInt(ALPHABET.indexOf(digit));
  const hex = number.toString(16).padStart(128, '0');
  if (hex.length > 128) return undefined;
  return Array.from({ length: 64 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
