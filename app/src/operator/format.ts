// Formats values for people.
import { formatSol, formatTokens } from '@curvekit/sdk';
import type { VolumeSums } from '../ledger/balances.js';
import { grouped, renderTable, right, type Column, type Row } from './table.js';

export { grouped, renderTable, right };

/** Untrusted text on one line, without characters that move the cursor or change the writing direction. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

/** A moment to the second, in UTC: `2026-01-31 09:30:00`; a dash for null. */
export function moment(date: Date | null): string {
  return date === null ? '—' : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** The cluster's time, given in Unix seconds. */
export function clusterTime(seconds: number): string {
  return moment(new Date(seconds * 1_000));
}

/** Lamports in SOL, grouped: `1,234.5`. */
export function sol(lamports: bigint): string {
  return groupedDecimal(formatSol(lamports));
}

/** Token base units in tokens, grouped. */
export function tokens(units: bigint): string {
  return groupedDecimal(formatTokens(units));
}

/** Basis points in percent: `12.5`. */
export function percent(bps: number): string {
  return String(bps / 100);
}

/** What trades of a token have earned for those who share its fees. */
export function shares({ kind, wallets, credited, paid, coveredOfAll }: VolumeSums): string {
  return `${sol(credited)} SOL credited by volume to ${grouped(wallets)} wallets (${kind}), ${sol(paid)} SOL of it paid; fees in the treasury back ${sol(coveredOfAll)} SOL for all tokens`;
}

export function facts(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([label]) => label.length));
  return pairs.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n');
}

export function tableOr(nothing: string, columns: readonly Column[], rows: readonly Row[]): string {
  return rows.length === 0 ? nothing : renderTable(columns, rows);
}

function groupedDecimal(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  return fraction === undefined ? grouped(BigInt(whole)) : `${grouped(BigInt(whole))}.${fraction}`;
}
