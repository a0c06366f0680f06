import { buy, fetchMarket, ProgramError, sell } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { chainOf } from './connection.js';
import { send } from './send.js';
import type { PoolState, Sign, Steps, TradeParams } from './types.js';

interface TradeOrder {
  readonly mint: string;
  readonly wallet: string;
  /** Where the quote was made: a trade on the other market is not what the person saw. */
  readonly venue: 'curve' | 'pool';
  readonly params: TradeParams;
  readonly sign: Sign;
  readonly steps: Steps;
}

/** @returns the signature of the confirmed trade */
export async function trade(config: MarketConfig, order: TradeOrder): Promise<string> {
  const chain = chainOf(config);
  const { deployment } = chain;
  const payer = new PublicKey(order.wallet);
  const market = await fetchMarket(chain.connection, new PublicKey(order.mint), { deployment });
  if (market === null) throw new ProgramError(6000);
  if (market.venue !== order.venue) throw new ProgramError(6001);
  const { params } = order;
  const instructions =
    params.side === 'buy'
      ? buy({ payer, market, deployment, ...params })
      : sell({ payer, market, deployment, ...params });
  const { sign, steps } = order;
  const pool = market.venue === 'pool' ? market.pool : undefined;
  return send(chain, { payer, instructions, sign, steps, pool });
}

/** A token's pool with its fees; undefined when it has none. */
export async function readPool(config: MarketConfig, mint: string): Promise<PoolState | undefined> {
  const { connection, deployment } = chainOf(config);
  const market = await fetchMarket(connection, new PublicKey(mint), { deployment });
  return market?.venue === 'pool' ? market.pool : undefined;
}
