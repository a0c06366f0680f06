// Writes a wallet's rewards as JSON text, directly from PostgreSQL's decimal digits. This runs for every row of every
// answer, and conversion to bigints and objects would take longer than reading the row.
import { formatPrice, SOL_DECIMALS, TOKEN_DECIMALS } from '@curvekit/sdk';
import { toJson } from '../http/json.js';
import type { RewardRow, TokenRow } from './reward-queries.js';

/** Decimals of a price. Enough for the cheapest possible token, whose whole supply costs one lamport. */
const PRICE_DIGITS = 24;

interface Written {
  readonly solPrice: number | undefined;
  readonly text: string;
}

/** Writes rewards as JSON. Caches the text of a token as long as its row. */
export class RewardJson {
  readonly #tokens = new WeakMap<TokenRow, Written>();

  /** @param solPrice price of one SOL; undefined when unknown */
  entry(row: RewardRow, token: TokenRow, solPrice: number | undefined): string {
    const unclaimed = amountsJson(row.unclaimedSol, row.unclaimedToken);
    const allTime = amountsJson(row.allSol, row.allToken);
    return `{"unclaimedRewards":${unclaimed},"allTimeRewards":${allTime},"tokenInfo":${this.#token(token, solPrice)}}`;
  }

  #token(token: TokenRow, solPrice: number | undefined): string {
    const written = this.#tokens.get(token);
    if (written !== undefined && written.solPrice === solPrice) return written.text;
    const text = toJson({
      address: token.mint,
      symbol: token.symbol ?? '',
      name: token.name ?? '',
      image: token.image ?? '',
      price: priceOf(token, solPrice),
    });
    this.#tokens.set(token, { solPrice, text });
    return text;
  }
}

function amountsJson(sol: string, token: string): string {
  const [solUi, tokenUi] = [unitsText(sol, SOL_DECIMALS), unitsText(token, TOKEN_DECIMALS)];
  return `{"sol":${sol},"solUi":"${solUi}","token":${token},"tokenUi":"${tokenUi}"}`;
}

/** Converts base units to a decimal number, exact and without trailing zeros. @param units digits of an amount */
export function unitsText(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

function priceOf({ virtualSol, virtualToken }: TokenRow, solPrice: number | undefined): number {
  const [lamports, tokenUnits] = [BigInt(virtualSol ?? 0), BigInt(virtualToken ?? 0)];
  if (solPrice === undefined || !lamports || !tokenUnits) return 0;
  return Number(formatPrice({ lamports, tokenUnits }, PRICE_DIGITS)) * solPrice;
}
