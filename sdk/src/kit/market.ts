// Where a token trades, read with Kit, and quotes of it. The types are those of the main entry with addresses for keys.
import type { Address } from '@solana/kit';
import type { PoolState } from '../amm/maths.js';
import type { TokenOwnerData } from '../generated/accounts.js';
import type { PoolBuyQuote, PoolSellQuote } from '../market/pool-quotes.js';
import * as core from '../quotes.js';
import type { BuyQuote, SellQuote } from '../quotes.js';
import { translated, withKeys } from './convert.js';

/** What a quote needs to know: `{ ...tokenOwnerData, platformFeeBps: properties.platformFeeBps }`. */
export interface CurveState {
  /** Virtual SOL reserve in lamports. */
  readonly virtualSol: bigint;
  /** Virtual token reserve in smallest units. */
  readonly virtualToken: bigint;
  /** Platform fee in basis points, from the properties account: it is read live by every trade. */
  readonly platformFeeBps: number;
  /** Status of the curve; left out, its token reserve tells whether it trades. */
  readonly initialized?: number;
  /** Virtual token reserve when every token is back in the vault. No sale goes beyond it. */
  readonly highestVirtualToken?: bigint | undefined;
  /** Where the token trades once the curve has graduated, if that is known. */
  readonly poolAddress?: Address | undefined;
}

/** Every address that a trade with one pool, or its reading, needs. */
export interface PoolAddresses {
  readonly mint: Address;
  /** The pool's own account. */
  readonly pool: Address;
  readonly authority: Address;
  /** The fee tier. */
  readonly config: Address;
  /** Where the AMM records prices. */
  readonly observation: Address;
  /** Mint of the shares in the liquidity. */
  readonly liquidityMint: Address;
  readonly vaults: { readonly sol: Address; readonly token: Address };
}

interface AnyMarket {
  readonly mint: Address;
  /** The curve with the live platform fee, at its closing price once it has graduated. */
  readonly curve: TokenOwnerData & CurveState;
}

/** The curve trades. */
export interface CurveMarket extends AnyMarket {
  readonly venue: 'curve';
}

/** The curve has sold out. Trading goes on when somebody opens the pool. */
export interface GraduatingMarket extends AnyMarket {
  readonly venue: 'graduating';
  /** Address that the pool will have; undefined where the operator opens it, at an address of their choice. */
  readonly poolAddress: Address | undefined;
}

/** The pool trades. */
export interface PoolMarket extends AnyMarket {
  readonly venue: 'pool';
  readonly pool: PoolState;
  readonly addresses: PoolAddresses;
}

/** The operator has migrated the curve by hand. Where its market is, the chain does not say. */
export interface UnknownMarket extends AnyMarket {
  readonly venue: 'unknown';
}

/** Where a token trades, with what a quote and a trade need. */
export type Market = CurveMarket | GraduatingMarket | PoolMarket | UnknownMarket;

/** Quotes a buy that spends up to `solToSpend` lamports, fee included. Throws as the main entry's does. */
export function quoteBuy(curve: CurveState, solToSpend: bigint, slippageBps?: number): BuyQuote;
export function quoteBuy(market: Market, solToSpend: bigint, slippageBps?: number): BuyQuote | PoolBuyQuote;
export function quoteBuy(from: CurveState | Market, solToSpend: bigint, slippageBps?: number) {
  return translated(() => core.quoteBuy(coreMarket(from), solToSpend, slippageBps));
}

/** Quotes the cheapest buy that yields at least `tokenToReceive`. Throws as the main entry's does. */
export function quoteBuyExactOut(curve: CurveState, tokenToReceive: bigint, slippageBps?: number): BuyQuote;
export function quoteBuyExactOut(
  market: Market,
  tokenToReceive: bigint,
  slippageBps?: number,
): BuyQuote | PoolBuyQuote;
export function quoteBuyExactOut(from: CurveState | Market, tokenToReceive: bigint, slippageBps?: number) {
  return translated(() => core.quoteBuyExactOut(coreMarket(from), tokenToReceive, slippageBps));
}

/** Quotes a sell of exactly `tokenToSpend` token units. Throws as the main entry's does. */
export function quoteSell(curve: CurveState, tokenToSpend: bigint, slippageBps?: number): SellQuote;
export function quoteSell(
  market: Market,
  tokenToSpend: bigint,
  slippageBps?: number,
): SellQuote | PoolSellQuote;
export function quoteSell(from: CurveState | Market, tokenToSpend: bigint, slippageBps?: number) {
  return translated(() => core.quoteSell(coreMarket(from), tokenToSpend, slippageBps));
}

/** Quotes the smallest sell that yields at least `solToReceive` lamports. Throws as the main entry's does. */
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
