// Readers of answers. Network data is untrusted, so every field is checked as it is read.
import { ConnectionError } from './errors.js';
import type { JsonValue } from './json.js';

/** Checks a value of an answer. @param what its name in the error @throws ConnectionError unless it is a T */
export type Reader<T> = (value: JsonValue | undefined, what: string) => T;

export const readString: Reader<string> = (value, what) => {
  if (typeof value !== 'string') throw notA(what, 'text');
  return value;
};

/** A number that need not be exact. */
export const readNumber: Reader<number> = (value, what) => {
  if (typeof value !== 'number') throw notA(what, 'a number');
  return value;
};

export const readBoolean: Reader<boolean> = (value, what) => {
  if (typeof value !== 'boolean') throw notA(what, 'true or false');
  return value;
};

/** An integer that lost no digit when it was parsed. */
export const readAmount: Reader<bigint> = (value, what) => {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)))
    return BigInt(value);
  throw notA(what, 'an integer');
};

/** One of the given values. */
export function readOneOf<const T extends string | number | boolean | null>(
  ...known: readonly T[]
): Reader<T> {
  return (value, what) => {
    const found = known.find((one) => one === value);
    if (found === undefined) throw notA(what, known.map((one) => JSON.stringify(one)).join(' or '));
    return found;
  };
}

/** The value of another reader, or null. */
export function readNullable<T>(read: Reader<T>): Reader<T | null> {
  return (value, what) => (value === null ? null : read(value, what));
}

export function readList<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, what) => {
    if (!isList(value)) throw notA(what, 'a list');
    return value.map((item, index) => read(item, `${what}[${index}]`));
  };
}

/** A list in which each position has its own type. Drops additional elements. */
export function readTuple<const T extends readonly unknown[]>(
  ...readers: { readonly [Place in keyof T]: Reader<T[Place]> }
): Reader<Readonly<T>> {
  return (value, what) => {
    if (!isList(value)) throw notA(what, 'a list');
    return readers.map((read, index) => read(value[index], `${what}[${index}]`)) as unknown as T;
  };
}

/** An object. Drops fields without a reader. */
export function readObject<T extends object>(fields: {
  readonly [Name in keyof T]: Reader<T[Name]>;
}): Reader<T> {
  const entries = Object.entries<Reader<unknown>>(fields);
  return (value, what) => {
    const object = asObject(value, what);
    return Object.fromEntries(
      entries.map(([name, read]) => [name, read(object[name], `${what}.${name}`)]),
    ) as T;
  };
}

/** @throws ConnectionError unless it is an object */
export function asObject(value: JsonValue | undefined, what: string): { readonly [name: string]: JsonValue } {
  if (typeof value !== 'object' || value === null || isList(value)) throw notA(what, 'an object');
  return value;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function notA(what: string, expected: string): ConnectionError {
  return new ConnectionError(`${what} is not ${expected}: is this the service, of this version?`);
}
