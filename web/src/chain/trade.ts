import { fetchMarket } from '@curvekit/sdk';
import { lookUpRemembered, trade as tradeInOneCall } from '@curvekit/sdk/trade';
import { PublicKey } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { HIGHEST_COMPUTE_UNIT_PRICE } from '../trade/reserve.js';
import { chainOf } from './connection.js';
import { traderWallet } from './wallet.js';
import type { Memory, Outcome, PoolState, Sign, Traded, TradeParams } from './types.js';

interface TradeOrder {
  readonly mint: string;
  readonly wallet: string;
  /** The market of the quote. The trade must not happen on the other market, because the user saw this one. */
  readonly venue: 'curve' | 'pool';
  readonly params: TradeParams;
  readonly sign: Sign;
  readonly onSigned: () => void;
  readonly remember: Memory;
}

export function trade(
  config: MarketConfig,
  { mint, wallet, venue, params, sign, onSigned, remember }: TradeOrder,
): Promise<Traded> {
  const { connection, deployment } = chainOf(config);
  return tradeInOneCall(connection, {
    ...params,
    wallet: traderWallet(wallet, sign),
    mint: new PublicKey(mint),
    venue,
    deployment,
    highestComputeUnitPrice: HIGHEST_COMPUTE_UNIT_PRICE,
    onSigned,
    remember,
  });
}

/** The outcome of the remembered trade, as far as the RPC node knows it. */
export async function lookUp(config: MarketConfig, memory: Memory): Promise<Outcome> {
  return lookUpRemembered(chainOf(config).connection, memory);
}

/** A token's pool with its fees. Undefined when the token has no pool. */
export async function readPool(config: MarketConfig, mint: string): Promise<PoolState | undefined> {
  const { connection, deployment } = chainOf(config);
  const market = await fetchMarket(connection, new PublicKey(mint), { deployment });
  return market?.venue === 'pool' ? market.pool : undefined;
}
