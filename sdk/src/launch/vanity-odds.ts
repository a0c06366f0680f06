// Computes how often a random address of 32 bytes matches a pattern.
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';

/** The beginning and the end of the address. */
export interface VanityPattern {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58n;
const KEY_BYTES = 32;
const BYTE = 256n;
/** Length of the longest address. */
const LONGEST_ADDRESS = 44;
/** 58^8 attempts take a machine centuries. */
const MOST_CHARACTERS = 8;

/** @throws InvalidArgumentError for an empty or too long pattern, or a character that no address contains */
export function requirePattern(pattern: VanityPattern): {
  readonly prefix: string;
  readonly suffix: string;
} {
  requireObject('pattern', pattern);
  const { prefix = '', suffix = '' } = pattern;
  for (const [argument, text] of Object.entries({ prefix, suffix })) {
    const foreign = [...String(text)].find((character) => !ALPHABET.includes(character));
    if (foreign !== undefined) {
      const problem = `is '${text}'; an address has no '${foreign}', only digits and letters without 0, O, I and l`;
      throw new InvalidArgumentError(argument, problem);
    }
  }
  const length = prefix.length + suffix.length;
  if (length === 0) throw new InvalidArgumentError('prefix', 'is empty, as is suffix; give one of them');
  if (length > MOST_CHARACTERS) {
    const problem = `and suffix have ${length} characters; at most ${MOST_CHARACTERS} can be found`;
    throw new InvalidArgumentError('prefix', problem);
  }
  return { prefix, suffix };
}

/** The average number of random keys until one matches. @throws as `findVanityMint` for the pattern */
export function expectedTries(pattern: VanityPattern): number {
  const { prefix, suffix } = requirePattern(pattern);
  return (1 / shareWithPrefix(prefix)) * Number(BASE) ** suffix.length;
}

/** A leading 1 stands for a leading zero byte. The other characters are digits of a base-58 number. */
function shareWithPrefix(prefix: string): number {
  const digits = prefix.replace(/^1+/, '');
  const zeros = prefix.length - digits.length;
  const above = BYTE ** BigInt(KEY_BYTES - zeros);
  if (digits === '') return 1 / Number(BYTE) ** zeros;
  const least = above / BYTE;
  const value = [...digits].reduce((sum, digit) => sum * BASE + BigInt(ALPHABET.indexOf(digit)), 0n);
  let fitting = 0n;
  for (let rest = 0; rest <= LONGEST_ADDRESS - digits.length; rest += 1) {
    const scale = BASE ** BigInt(rest);
    const from = value * scale > least ? value * scale : least;
    const to = (value + 1n) * scale < above ? (value + 1n) * scale : above;
    if (to > from) fitting += to - from;
  }
  return Number(fitting) / Number(BYTE ** BigInt(KEY_BYTES));
}
