// Parses options and arguments. Commander puts the option's name before the error message.
import { parseSol, parseTokens } from '@curvekit/sdk/quotes';
import { InvalidArgumentError } from 'commander';
import { ADDRESS_BYTES, decodeBase58 } from '../base/base58.js';
import { readKey } from '../config/secret-key.js';
import { isScope, SCOPES, type Scope } from '../partners/scopes.js';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const LONGEST_SECONDS = 10 * 365 * 86_400;

/** A duration such as `30m`, `24h` or `90d`, in seconds; up to ten years. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? NaN);
  if (seconds <= LONGEST_SECONDS) return seconds;
  throw new InvalidArgumentError(
    'It must be a whole number followed by s, m, h or d, such as 24h; at most 3650d.',
  );
}

/** A duration longer than zero. */
export function lastingDuration(text: string): number {
  const seconds = duration(text);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be at least 1s.');
}

/** A whole number within limits, both included. */
export const wholeNumber = (minimum: number, maximum: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
};

/** A base58 address. */
export function address(text: string): string {
  if (decodeBase58(text, ADDRESS_BYTES) !== undefined) return text;
  throw new InvalidArgumentError('It must be a base58 address of 32 bytes.');
}

export function nodeUrl(text: string): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

/** SOL as a decimal, in lamports. */
export const solAmount = (text: string) => parsed(() => parseSol(text));

/** Tokens as a decimal, in base units. */
export const tokenAmount = (text: string) => parsed(() => parseTokens(text));

/** Scopes, separated by commas. */
export function scopes(text: string): readonly Scope[] {
  return text.split(',').map((word) => {
    const scope = word.trim();
    if (isScope(scope)) return scope;
    throw new InvalidArgumentError(`'${scope}' is not a scope; the scopes are ${SCOPES.join(', ')}.`);
  });
}

/** A secret key from its file, or the URL of a signer. */
export const key = (text: string) =>
  parsed(
    () => readKey(text.trim()),
    (problem) => `It ${problem}.`,
  );

function parsed<T>(parse: () => T, describe = (problem: string) => problem): T {
  try {
    return parse();
  } catch (error) {
    throw new InvalidArgumentError(describe((error as Error).message));
  }
}
