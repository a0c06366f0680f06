import { fetchMarket } from '@curvekit/sdk/kit';
import { lookUpRemembered, trade as tradeInOneCall, type TradeResult } from '@curvekit/sdk/kit/trade';
import { poolAfterSwap } from '@curvekit/sdk/quotes';
import type { Address } from '@solana/kit';
import type { MarketConfig, Trade } from '../market/types.js';
import { HIGHEST_COMPUTE_UNIT_PRICE } from '../trade/reserve.js';
import { chainOf } from './connection.js';
import { traderWallet } from './wallet.js';
import type { Memory, Outcome, PoolState, Sign, Traded, TradeParams } from './types.js';

export interface TradeOrder {
  readonly mint: string;
  readonly wallet: string;
  /** The market of the quote. The trade must not happen on the other market, because the user saw this one. */
  readonly venue: 'curve' | 'pool';
  /** The pool of the quote. */
  readonly pool: PoolState | undefined;
  readonly params: TradeParams;
  readonly sign: Sign;
  readonly onSigned: () => void;
  readonly remember: Memory;
  /** Stops everything before the transaction is sent. */
  readonly signal?: AbortSignal | undefined;
}

export async function trade(
  config: MarketConfig,
  { mint, wallet, venue, pool, params, sign, ...steps }: TradeOrder,
): Promise<Traded> {
  const { rpc, deployment } = await chainOf(config);
  const traded = await tradeInOneCall(rpc, {
    ...params,
    wallet: traderWallet(wallet, sign),
    mint: mint as Address,
    venue,
    deployment,
    highestComputeUnitPrice: HIGHEST_COMPUTE_UNIT_PRICE,
    ...steps,
  });
  return { ...traded, shown: shownTrade(traded, { mint, wallet, pool }) };
}

/** The trade as the Market API will list it, from its own transaction. */
function shownTrade(
  { record, swap, signature, slot, side, venue, solAmount, tokenAmount, platformFee }: TradeResult,
  { mint, wallet, pool }: Pick<TradeOrder, 'mint' | 'wallet' | 'pool'>,
): Trade | undefined {
  const inPool = swap && pool && poolAfterSwap(pool, swap);
  const [sol, token] = record ? [record.virtualSol, record.virtualToken] : [inPool?.sol, inPool?.token];
  if (sol === undefined || token === undefined) return undefined;
  return {
    ...{ id: signature, mint, signature, slot: Number(slot), trader: wallet, venue, isBuy: side === 'buy' },
    ...{ solAmount: String(solAmount), tokenAmount: String(tokenAmount), fee: String(platformFee) },
    ...{ virtualSol: String(sol), virtualToken: String(token), graduated: record?.finalized === true },
    ...{ timestamp: Number(record?.timestamp ?? Math.floor(Date.now() / 1_000)), finalized: false },
  };
}

/** The outcome of the remembered trade, as far as the RPC node knows it. */
export async function lookUp(config: MarketConfig, memory: Memory): Promise<Outcome> {
  return lookUpRemembered((await chainOf(config)).rpc, memory);
}

/** A token's pool with its fees. Undefined when the token has no pool. */
export async function readPool(config: MarketConfig, mint: string): Promise<PoolState | undefined> {
  const { rpc, deployment } = await chainOf(config);
  const market = await fetchMarket(rpc, mint as Address, { deployment });
  return market?.venue === 'pool' ? market.pool : undefined;
}
