// The SDK's exact quotes in one form for curve and pool, and for both sides.
import { quoteBuy, quoteBuyExactOut, quoteSell, quoteSellExactOut } from '@curvekit/sdk/quotes';
import type { PoolState, TradeParams } from '../chain/types.js';
import { words } from '../words/words.js';

export type Side = 'buy' | 'sell';
export type Unit = 'sol' | 'token';

export type QuotedMarket =
  | {
      readonly venue: 'curve';
      readonly virtualSol: bigint;
      readonly virtualToken: bigint;
      readonly platformFeeBps: number;
    }
  | { readonly venue: 'pool'; readonly pool: PoolState };

export interface Asked {
  readonly side: Side;
  /** Unit of the amount: SOL or tokens. */
  readonly unit: Unit;
  readonly amount: bigint;
  readonly slippageBps: number;
}

export interface Quote {
  readonly side: Side;
  readonly sol: bigint;
  readonly token: bigint;
  /** The minimum that the trader receives: token units of a buy, lamports of a sell. */
  readonly least: bigint;
  readonly fee: bigint;
  /** Token base units that a pool takes as fee. */
  readonly tokenFee: bigint;
  readonly impactBps: number;
  /** By how much a token is dearer than at the price now, or by how much less it is sold for. */
  readonly worseBps: number;
  /** Change of the market's price by the trade. */
  readonly priceChangeBps: number;
  /** Token reserve after the trade. On a curve it is the virtual reserve. */
  readonly tokenAfter: bigint;
  /** Lamports that a clipped buy does not spend. */
  readonly rest: bigint;
  readonly graduates: boolean;
  readonly params: TradeParams;
}

/** Either a quote, or a problem as a user message. */
export type Quoted =
  { readonly quote: Quote; readonly problem?: never } | { readonly quote?: never; readonly problem: string };

export function quoteOf(market: QuotedMarket, asked: Asked): Quoted {
  try {
    return { quote: asked.side === 'buy' ? buyOf(market, asked) : sellOf(market, asked) };
  } catch (error) {
    return { problem: whyNot(error as { readonly code?: number }) };
  }
}

function whyNot({ code }: { readonly code?: number }): string {
  if (code === 6001) return words.trade.soldOut;
  return code === 6005 ? words.trade.noAmount : words.trade.moreThanExists;
}

/** The same market with other reserves: lamports and token base units. */
export const withReserves = (market: QuotedMarket, sol: bigint, token: bigint): QuotedMarket =>
  market.venue === 'pool'
    ? { ...market, pool: { ...market.pool, sol, token } }
    : { ...market, virtualSol: sol, virtualToken: token };

/** The SDK's quotes use only venue and pool of a market. */
type SdkMarket = Parameters<typeof quoteBuy>[0];
export const sdkMarket = (market: QuotedMarket) =>
  (market.venue === 'pool' ? { venue: 'pool', pool: market.pool } : withoutVenue(market)) as SdkMarket;

function withoutVenue({ virtualSol, virtualToken, platformFeeBps }: QuotedMarket & { venue: 'curve' }) {
  return { virtualSol, virtualToken, platformFeeBps };
}

function buyOf(market: QuotedMarket, { unit, amount, slippageBps }: Asked): Quote {
  const from = sdkMarket(market);
  // The current cost without slippage, because a higher payment would buy more than wanted.
  const lamports = unit === 'sol' ? amount : quoteBuyExactOut(from, amount, 0).solToSpend;
  const quote = quoteBuy(from, lamports, slippageBps);
  const { solToSpend, minTokenToReceive, solSpent, tokenOut, fee, graduates, clipped } = quote;
  return {
    side: 'buy',
    sol: solSpent,
    token: tokenOut,
    // The minimum of a clipped buy refers to all offered lamports, so scale it to the spent ones.
    least: clipped ? (minTokenToReceive * solSpent) / solToSpend : minTokenToReceive,
    fee,
    graduates,
    rest: clipped ? solToSpend - solSpent : 0n,
    params: { solToSpend, minTokenToReceive },
    ...effectOf(quote),
  };
}

function sellOf(market: QuotedMarket, { unit, amount, slippageBps }: Asked): Quote {
  const from = sdkMarket(market);
  const tokens = unit === 'token' ? amount : quoteSellExactOut(from, amount, 0).tokenToSpend;
  const quote = quoteSell(from, tokens, slippageBps);
  const { tokenToSpend, minSolToReceive, solOut, fee } = quote;
  return {
    side: 'sell',
    sol: solOut,
    token: tokenToSpend,
    least: minSolToReceive,
    fee,
    graduates: false,
    rest: 0n,
    params: { tokenToSpend, minSolToReceive },
    ...effectOf(quote),
  };
}

type SdkQuote = ReturnType<typeof quoteBuy> | ReturnType<typeof quoteSell>;

function effectOf(
  quote: SdkQuote,
): Pick<Quote, 'impactBps' | 'worseBps' | 'priceChangeBps' | 'tokenAfter' | 'tokenFee'> {
  const { priceBefore, priceAfter, priceImpactBps } = quote;
  const after = priceAfter.lamports * priceBefore.tokenUnits;
  const before = priceBefore.lamports * priceAfter.tokenUnits;
  return {
    impactBps: priceImpactBps,
    // Who gets 20 % fewer tokens for the same SOL pays 25 % more for each.
    worseBps: 'tokenOut' in quote ? (priceImpactBps * 10_000) / (10_000 - priceImpactBps) : priceImpactBps,
    priceChangeBps: before === 0n ? 0 : Number(((after - before) * 10_000n) / before),
    tokenAfter: priceAfter.tokenUnits,
    tokenFee: 'tokenFee' in quote ? (quote as { tokenFee: bigint }).tokenFee : 0n,
  };
}
