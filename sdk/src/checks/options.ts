// Refuses unknown options by name: a misspelt limit must not be ignored. Each list of names stands next to its type, and
// TypeScript proves that it is complete.
import { InvalidArgumentError } from '../errors/index.js';

/** The names of a type's options, also of a union's. */
export type OptionNames<T> = Readonly<Record<T extends unknown ? keyof T : never, true>>;

/**
 * @param argument name of the object in the error
 * @throws InvalidArgumentError for a value that is not an object, and for an option that is not among the names
 */
export function requireKnown(
  argument: string,
  given: unknown,
  ...names: readonly Readonly<Record<string, true>>[]
): void {
  requireObject(argument, given);
  if ('rpcEndpoint' in given)
    throw new InvalidArgumentError(argument, 'is a Connection; the connection is the first argument');
  if ('toBase58' in given)
    throw new InvalidArgumentError(argument, 'is a public key; are the arguments swapped?');
  for (const name of Object.keys(given)) {
    if (given[name as never] === undefined || names.some((list) => Object.hasOwn(list, name))) continue;
    const known = names.flatMap((list) => Object.keys(list));
    if (known.includes('deployment') && 'programId' in given && 'properties' in given)
      throw new InvalidArgumentError(argument, 'is a deployment; pass it as { deployment }');
    const nearest = nearestTo(name, known);
    throw new InvalidArgumentError(
      name,
      `is not known; ${nearest === undefined ? `known are ${known.sort().join(', ')}` : `did you mean ${nearest}?`}`,
    );
  }
}

/** @throws InvalidArgumentError for a value that is not an object */
export function requireObject(argument: string, given: unknown): asserts given is object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  const actual = given === null ? 'null' : Array.isArray(given) ? 'a list' : `of type ${typeof given}`;
  throw new InvalidArgumentError(argument, `is ${actual}; it must be an object`);
}

/** The most similar name, if it is similar enough to be meant. */
function nearestTo(name: string, known: readonly string[]): string | undefined {
  const alike = known.map((other) => [likeness(pairsIn(name), pairsIn(other)), other] as const);
  const [best] = alike.sort(([one], [other]) => other - one);
  return best !== undefined && best[0] >= 0.5 ? best[1] : undefined;
}

/** From 0 to 1. */
function likeness(one: readonly string[], other: readonly string[]): number {
  return one.filter((pair) => other.includes(pair)).length / Math.max(one.length, other.length);
}

/** Each two characters that follow one another. */
function pairsIn(text: string): string[] {
  return [...text.toLowerCase()].map((character, index, all) => character + (all[index + 1] ?? ''));
}
