// Formats numbers for users. Amounts are bigints or decimal strings in lamports or token base units.
import { compact, decimals, grouped, significant } from './english-numbers.js';
import { ageUnits, dateTime } from './words/times.js';

const SOL_DECIMALS = 9;
const TOKEN_DECIMALS = 6;

export type Amount = bigint | string;

function scaled(amount: Amount, places: number): number {
  return Number(amount) / 10 ** places;
}

/** At most four significant digits, in thousands (K), millions (M) and so on. */
export function short(value: number): string {
  return (Math.abs(value) < 0.01 ? significant(value, 3) : compact(value)).replace('-', '−');
}

export const sol = (lamports: Amount) => short(scaled(lamports, SOL_DECIMALS));
export const tokens = (units: Amount) => short(scaled(units, TOKEN_DECIMALS));
export const exactSol = (lamports: Amount) => exact(lamports, SOL_DECIMALS);
export const exactTokens = (units: Amount) => exact(units, TOKEN_DECIMALS);
export const count = (value: number) => (value < 100_000 ? decimals(value, 3) : compact(value));

/** Such as a slot. */
export const exactCount = (value: number) => grouped(String(value));

/** All digits, in groups of three. */
function exact(amount: Amount, places: number): string {
  const value = BigInt(amount);
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const text = grouped(digits.slice(0, -places));
  return `${value < 0n ? '−' : ''}${text}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Basis points: `"52 %"`. */
export const percent = (bps: number) => `${decimals(bps / 100, 1)} %`;
/** Basis points with up to two decimals, for values that the user has chosen. */
export const finePercent = (bps: number) => `${decimals(bps / 100, 2)} %`;
/** Whether a change is less than a tenth of a percent, as it is shown. */
export const isNoChange = (bps: number) => Math.abs(bps) < 5;
/** Basis points with a sign: `"+18.4 %"`. A fall of less than all is never shown as 100 %. */
export function change(bps: number): string {
  if (isNoChange(bps)) return '0 %';
  if (bps > 0) return `+${bps >= 1_000_000 ? compact(bps / 100) : decimals(bps / 100, 1)} %`;
  return `−${decimals(-bps / 100, bps < -9_990 ? 2 : 1)} %`;
}

export const address = (text: string) => `${text.slice(0, 4)}…${text.slice(-4)}`;
export const when = (unixSeconds: number) => dateTime(unixSeconds * 1_000);

/** A duration in its largest unit: s, min, h or d. */
export function age(seconds: number): string {
  const value = Math.max(0, Math.round(seconds));
  if (value < 60) return `${value} ${ageUnits.s}`;
  if (value < 3_600) return `${Math.floor(value / 60)} ${ageUnits.min}`;
  if (value < 86_400) return `${Math.floor(value / 3_600)} ${ageUnits.h}`;
  return `${count(Math.floor(value / 86_400))} ${ageUnits.d}`;
}

/** Untrusted text without invisible characters and characters that change the writing direction. */
export function displayText(text: string): string {
  const visible = text
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .replace(/[\u061c\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu, '');
  const trimmed = visible.replace(/\s+/g, ' ').trim();
  return trimmed === '' ? '—' : trimmed;
}
