// Parses and formats typed amounts.
import { words as all } from '../words/words.js';

const words = all.trade;
export const SOL_DECIMALS = 9;
export const TOKEN_DECIMALS = 6;

/** Powers of ten that the page itself abbreviates. */
const SUFFIXES: Readonly<Record<string, number>> = { '': 0, k: 3, m: 6, b: 9, t: 12 };
/** `1,000` is one thousand to some and one to others. */
const AMBIGUOUS = /^[1-9]\d{0,2},\d{3}$/;

/**
 * The amount in base units. Digits may be grouped by spaces, apostrophes, commas or points, and abbreviated as this page
 * does: `1,234.5`, `1.234,5`, `1 234.5`, `6.99M`. Undefined for text that is not a number with at most `decimals`
 * decimals, or that has two meanings.
 */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const [, typed = '', suffix = ''] = /^(.*?)\s*([kmbt]?)$/i.exec(tidy(text)) ?? [];
  if (AMBIGUOUS.test(typed)) return undefined;
  const separators = typed.match(/\D/g) ?? [];
  const last = separators.at(-1);
  const isOnce = separators.filter((each) => each === last).length === 1;
  // One point or comma is the decimal one. Where there are several, they group, and another one at the end is decimal.
  const isDecimal = last !== undefined && /[.,]/.test(last) && isOnce;
  const at = isDecimal ? typed.lastIndexOf(last) : typed.length;
  const whole = typed.slice(0, at);
  const fraction = typed.slice(at + 1);
  const digits = decimals + SUFFIXES[suffix.toLowerCase()]!;
  if (!/^(\d*|\d{1,3}(\D)\d{3}(?:\2\d{3})*)$/.test(whole) || !/^\d*$/.test(fraction)) return undefined;
  if (whole + fraction === '' || fraction.length > digits) return undefined;
  return BigInt(whole.replace(/\D/g, '') + fraction.padEnd(digits, '0'));
}

/** Why the text is no amount, for its field. */
export const whyNoAmount = (text: string) =>
  AMBIGUOUS.test(tidy(text)) ? words.twoMeanings(text.trim()) : words.notANumber;

/** Digits of any width as plain ones, every kind of space and apostrophe as a space, without the unit. */
const tidy = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\s'’_]/g, ' ')
    .replace(/^ *| *(sol)? *$/gi, '');

/** All digits without grouping, for an input. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}
