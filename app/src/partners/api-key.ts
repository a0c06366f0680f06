// The text of an API key: `curvekit_ID_SECRETCHECKSUM`, all hex. The prefix lets scanners of leaked secrets recognise a
// key. The checksum detects a mistyped key without a database query.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'curvekit';
const ID_BYTES = 8;
const ID_AT = PREFIX.length + 1;
const SECRET_BYTES = 32;
const KEY = new RegExp(`^(${PREFIX}_([0-9a-f]{16})_([0-9a-f]{64}))([0-9a-f]{8})$`);
const BEGINNING = new RegExp(`^\\s*${PREFIX}_([0-9a-f]{16})_`);
const ID = /^[0-9a-f]{16}$/;

export interface ApiKeyParts {
  /** Public: logs and commands identify the key by it. */
  readonly id: string;
  /** 256 bits in hex. Never stored. */
  readonly secret: string;
}

export function generateApiKey(): ApiKeyParts {
  return { id: randomBytes(ID_BYTES).toString('hex'), secret: randomBytes(SECRET_BYTES).toString('hex') };
}

export function formatApiKey({ id, secret }: ApiKeyParts): string {
  const body = `${PREFIX}_${id}_${secret}`;
  return body + checksum(body);
}

/** Parses a key's text; undefined when it is malformed or its checksum is wrong. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const [, body, id, secret, sum] = KEY.exec(text) ?? [];
  if (body === undefined || id === undefined || secret === undefined || sum !== checksum(body))
    return undefined;
  return { id, secret };
}

/** The id in a key's text. Does not check that the text is a key. */
export function presumedId(text: string): string {
  return text.slice(ID_AT, ID_AT + ID_BYTES * 2);
}

/** The id of a key that an operator names by its id or by its whole text. */
export function namedId(text: string): string {
  return BEGINNING.exec(text)?.[1] ?? text;
}

/** Whether a text has the form of an id. Another text can contain a secret. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** SHA-256 of the secret's bytes in hex, as stored in the database. 256 random bits need no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'hex').digest('hex');
}

/** Compares a secret with a stored hash in constant time. */
export function secretMatches(secret: string, hash: string): boolean {
  const [actual, expected] = [Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex')];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
