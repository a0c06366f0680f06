// Parses arguments. Every error names the argument, its value and what it must be.
import { PublicKey } from '@solana/web3.js';
import { formatSol, formatTokens, parseSol, parseTokens } from '@curvekit/sdk';
import { UsageError } from './errors.js';

const U64_MAX = 2n ** 64n - 1n;
const MOST_BPS = 10_000;

/** A base58 address. */
export function address(argument: string, text: string): PublicKey {
  try {
    const key = new PublicKey(text);
    if (key.toBase58() === text) return key;
  } catch {
    // Reported below.
  }
  throw new UsageError(argument, `is '${text}'; it must be a base58 address of 32 bytes`);
}

/** SOL as a decimal, in lamports. */
export function sol(argument: string, text: string): bigint {
  const rule = `SOL as a decimal number above 0 and at most ${formatSol(U64_MAX)}, with at most 9 digits after the point: 0.5`;
  return amount(argument, text, parseSol, rule);
}

/** Tokens as a decimal, in base units. */
export function tokens(argument: string, text: string): bigint {
  const rule = `tokens as a decimal number above 0 and at most ${formatTokens(U64_MAX)}, with at most 6 digits after the point: 1000`;
  return amount(argument, text, parseTokens, rule);
}

function amount(argument: string, text: string, parse: (text: string) => bigint, rule: string): bigint {
  try {
    const value = parse(text);
    if (value > 0n) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(argument, `is '${text}'; it must be ${rule}`);
}

/** `1%` or `100bps` in basis points. The unit is required: 1 could be either. */
export function basisPoints(argument: string, text: string): number {
  const [, whole = '', fraction = '', unit] = /^(\d{1,6})(?:\.(\d{1,2}))?(%|bps)$/.exec(text) ?? [];
  const bps =
    unit === '%' ? Number(whole + fraction.padEnd(2, '0')) : unit && !fraction ? Number(whole) : NaN;
  if (bps <= MOST_BPS) return bps;
  throw new UsageError(argument, `is '${text}'; it must be from 0% to 100% with its unit: 0.5% or 50bps`);
}

/** A whole number within limits, both included. */
export function wholeNumber(argument: string, text: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(argument, `is '${text}'; it must be a whole number from ${least} to ${most}`);
}

/** Micro-lamports per compute unit. */
export function unitPrice(argument: string, text: string): bigint {
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : U64_MAX + 1n;
  if (value <= U64_MAX) return value;
  const rule = `a whole number of micro-lamports per compute unit, at most ${U64_MAX}`;
  throw new UsageError(argument, `is '${text}'; it must be ${rule}`);
}

/** A URL. Errors do not quote it, because it can contain an access token. */
export function url(
  argument: string,
  text: string,
  schemes: readonly string[] = ['http:', 'https:'],
): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (schemes.includes(protocol)) return text;
  const starts = schemes.map((scheme) => `${scheme}//`).join(' or ');
  throw new UsageError(argument, `is not a URL that can be used; it must begin with ${starts}`);
}

export function oneOf<Word extends string>(argument: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(argument, `is '${text}'; it must be one of ${words.join(', ')}`);
}
