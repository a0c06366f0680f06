// Amounts for the tables: rounded to a fixed number of digits, grouped by thousands. The JSON output has exact amounts.
import { SOL_DECIMALS, TOKEN_DECIMALS, type Price } from '@curvekit/sdk';
import { grouped } from '#app/cli/table.js';

/** Lamports as SOL: `12.500000`. */
export function sol(lamports: bigint, digits = 6): string {
  return decimal(lamports, 10n ** BigInt(SOL_DECIMALS), digits);
}

/** Base units as tokens: `1,073,000,000.00`. */
export function tokens(units: bigint, digits = 2): string {
  return decimal(units, 10n ** BigInt(TOKEN_DECIMALS), digits);
}

/** A price in lamports per token: `27.959`. */
export function lamportsPerToken({ lamports, tokenUnits }: Price): string {
  return decimal(lamports * 10n ** BigInt(TOKEN_DECIMALS), tokenUnits, 3);
}

/** Basis points as percent: `12.34`. */
export function percent(bps: number): string {
  return decimal(BigInt(bps), 100n, 2);
}

/** The beginning and the end of a signature or an address. */
export function shortened(base58: string): string {
  return `${base58.slice(0, 4)}…${base58.slice(-4)}`;
}

/** A fraction, not below zero, as decimal text, rounded half up. */
function decimal(dividend: bigint, divisor: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const scaled = (2n * dividend * scale + divisor) / (2n * divisor);
  const whole = grouped(scaled / scale);
  return digits === 0 ? whole : `${whole}.${(scaled % scale).toString().padStart(digits, '0')}`;
}
