// Formats results: aligned lines with units as text, or JSON.
import { formatSol, formatTokens, type Price } from '@curvekit/sdk';

/** Lines of text with aligned labels. */
export type Facts = readonly (readonly [label: string, value: string])[];

export function factsText(facts: Facts): string {
  const width = Math.max(...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n');
}

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table. Numbers are aligned to the right. */
export function tableText(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  const cell = (text: string, index: number) =>
    columns[index]!.isNumber === true ? text.padStart(widths[index]!) : text.padEnd(widths[index]!);
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n');
}

/** One line of JSON. Bigint amounts become decimal strings, because most JSON parsers round large numbers. */
export function jsonLine(document: unknown): string {
  return JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** `1,234.5 SOL` */
export function solText(lamports: bigint): string {
  return `${grouped(formatSol(lamports))} SOL`;
}

export function tokenText(units: bigint): string {
  return `${grouped(formatTokens(units))} tokens`;
}

/** A change with its sign: `+0.1 SOL`. */
export function changeText(amount: bigint, text = solText): string {
  return `${amount > 0n ? '+' : ''}${text(amount)}`;
}

/** A price with enough digits even when very small: `0.00000002797 SOL per token`. */
export function priceText({ lamports, tokenUnits }: Price): string {
  if (tokenUnits === 0n) return 'unknown';
  const scaled = ((lamports * SCALE) / (tokenUnits * LAMPORTS_PER_UNIT)).toString().padStart(DIGITS + 1, '0');
  const [whole, fraction] = [scaled.slice(0, -DIGITS), scaled.slice(-DIGITS)];
  const shown = /^0*[1-9]\d{0,4}/.exec(fraction)?.[0] ?? '';
  return `${grouped(whole)}${shown === '' ? '' : `.${shown}`} SOL per token`;
}

const DIGITS = 24;
const SCALE = 10n ** BigInt(DIGITS);
/** A lamport is 10^−9 SOL, a token unit 10^−6 tokens. */
const LAMPORTS_PER_UNIT = 1_000n;

/** Untrusted text on one line, without characters that move the cursor or change the writing direction. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

/** Basis points as percent: `0.5 %`. */
export function percentText(bps: number): string {
  return `${bps / 100} %`;
}

/** Unix seconds in UTC: `2026-01-31 09:30:00`. */
export function timeText(seconds: bigint | null): string {
  if (seconds === null) return '-';
  return new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}

function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? text : `${text}.${fraction}`;
}
