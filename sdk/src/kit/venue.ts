// Where a token trades, read with Kit, and quotes for it. The types are those of the main entry with addresses instead
// of keys.
import type { Address } from '@solana/kit';
import type { PoolState } from '../amm/maths.js';
import type { TokenOwnerData } from '../generated/accounts.js';
import type { PoolBuyQuote, PoolSellQuote } from '../venue/quoting.js';
import { positionOf as corePosition, type PositionResult, type TradedSums } from '../venue/position.js';
import * as core from '../venue/quotes.js';
import type { BuyQuote, SellQuote } from '../venue/quotes.js';
import { translated, withKeys } from './convert.js';

/** The state of a curve that a quote needs: `{ ...tokenOwnerData, platformFeeBps: properties.platformFeeBps }`. */
export interface CurveState {
  /** Virtual SOL reserve in lamports. */
  readonly virtualSol: bigint;
  /** Virtual token reserve in smallest units. */
  readonly virtualToken: bigint;
  /** Platform fee in basis points, from the properties account. Every trade uses the current value. */
  readonly platformFeeBps: number;
  /** Status of the curve. Without it the token reserve decides whether the curve trades. */
  readonly initialized?: number;
  /** Virtual token reserve when every token is back in the vault. No sale can exceed it. */
  readonly highestVirtualToken?: bigint | undefined;
  /** Where the token trades after graduation, if known. */
  readonly poolAddress?: Address | undefined;
}

/** Every address that a trade with one pool, or a read of it, needs. */
export interface PoolAddresses {
  readonly mint: Address;
  /** The pool's own account. */
  readonly pool: Address;
  readonly authority: Address;
  /** The fee tier. */
  readonly config: Address;
  /** The account in which the AMM records prices. */
  readonly observation: Address;
  /** Mint of the liquidity (LP) tokens. */
  readonly liquidityMint: Address;
  readonly vaults: { readonly sol: Address; readonly token: Address };
}

interface AnyMarket {
  readonly mint: Address;
  /** The curve with the current platform fee. After graduation, at its closing price. */
  readonly curve: TokenOwnerData & CurveState;
}

/** The curve trades. */
export interface CurveMarket extends AnyMarket {
  readonly venue: 'curve';
}

/** The curve has sold out. Trading continues when somebody opens the pool. */
export interface GraduatingMarket extends AnyMarket {
  readonly venue: 'graduating';
  /** Address of the future pool. Undefined when the operator opens the pool at an address of their choice. */
  readonly poolAddress: Address | undefined;
}

/** The pool trades. */
export interface PoolMarket extends AnyMarket {
  readonly venue: 'pool';
  readonly pool: PoolState;
  readonly addresses: PoolAddresses;
}

/** The operator migrated the curve by hand. The chain does not show where the token trades now. */
export interface UnknownMarket extends AnyMarket {
  readonly venue: 'unknown';
}

/** Where a token trades, with everything that a quote and a trade need. */
export type Market = CurveMarket | GraduatingMarket | PoolMarket | UnknownMarket;

/**
 * Quotes a buy that spends up to `solToSpend` lamports, fee included. Throws the same errors as the main entry's
 * function.
 */
export function quoteBuy(curve: CurveState, solToSpend: bigint, slippageBps?: number): BuyQuote;
export function quoteBuy(market: Market, solToSpend: bigint, slippageBps?: number): BuyQuote | PoolBuyQuote;
export function quoteBuy(from: CurveState | Market, solToSpend: bigint, slippageBps?: number) {
  return translated(() => core.quoteBuy(coreMarket(from), solToSpend, slippageBps));
}

/**
 * Quotes the cheapest buy that yields at least `tokenToReceive`. Throws the same errors as the main entry's function.
 */
export function quoteBuyExactOut(curve: CurveState, tokenToReceive: bigint, slippageBps?: number): BuyQuote;
export function quoteBuyExactOut(
  market: Market,
  tokenToReceive: bigint,
  slippageBps?: number,
): BuyQuote | PoolBuyQuote;
export function quoteBuyExactOut(from: CurveState | Market, tokenToReceive: bigint, slippageBps?: number) {
  return translated(() => core.quoteBuyExactOut(coreMarket(from), tokenToReceive, slippageBps));
}

/** Quotes a sell of exactly `tokenToSpend` token units. Throws the same errors as the main entry's function. */
export function quoteSell(curve: CurveState, tokenToSpend: bigint, slippageBps?: number): SellQuote;
export function quoteSell(
  market: Market,
  tokenToSpend: bigint,
  slippageBps?: number,
): SellQuote | PoolSellQuote;
export function quoteSell(from: CurveState | Market, tokenToSpend: bigint, slippageBps?: number) {
  return translated(() => core.quoteSell(coreMarket(from), tokenToSpend, slippageBps));
}

/** Values what a wallet holds at a sale of all of it now. Throws the same errors as the main entry's function. */
export function positionOf(
  market: CurveState | Market,
  tokenAmount: bigint,
  traded: TradedSums,
): PositionResult {
  return translated(() => corePosition(coreMarket(market), tokenAmount, traded));
}

/**
 * Quotes the smallest sell that yields at least `solToReceive` lamports. Throws the same errors as the main entry's
 * function.
 */
export function quoteSellExactOut(curve: CurveState, solToReceive: bigint, slippageBps?: number): SellQuote;
export function quoteSellExactOut(
  market: Market,
  solToReceive: bigint,
  slippageBps?: number,
): SellQuote | PoolSellQuote;
export function quoteSellExactOut(from: CurveState | Market, solToReceive: bigint, slippageBps?: number) {
  return translated(() => core.quoteSellExactOut(coreMarket(from), solToReceive, slippageBps));
}

function coreMarket(from: CurveState | Market): core.CurveState {
  return withKeys(from) as core.CurveState;
}
