import { buy, fetchMarket, ProgramError, sell } from '@curvekit/sdk';
import { PublicKey, SYSVAR_CLOCK_PUBKEY, type Connection } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { chainOf } from './connection.js';
import { send } from './send.js';
import type { PoolState, Sign, Steps, TradeParams } from './types.js';

/** A pool takes no trade in the second in which it is opened: its first buyers wait, and are not refused. */
const MOST_ATTEMPTS = 8;
const PAUSE_MS = 500;
/** Where the clock's account has its time. */
const UNIX_TIMESTAMP = 32;

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
  let isSigning = false;
  const steps = {
    ...order.steps,
    onSigning: () => {
      isSigning = true;
      order.steps.onSigning();
    },
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(chain, { payer, instructions, sign: order.sign, steps });
    } catch (error) {
      const mayOpen = market.venue === 'pool' && !isSigning && attempt < MOST_ATTEMPTS;
      if (!mayOpen || (await clusterTime(chain.connection)) >= market.pool.openTime) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Seconds since 1970 by the clock that programs read. */
async function clusterTime(connection: Connection): Promise<bigint> {
  const clock = await connection.getAccountInfo(SYSVAR_CLOCK_PUBKEY);
  if (clock === null) return 0n;
  return new DataView(clock.data.buffer, clock.data.byteOffset).getBigInt64(UNIX_TIMESTAMP, true);
}

/** A token's pool with its fees; undefined when it has none. */
export async function readPool(config: MarketConfig, mint: string): Promise<PoolState | undefined> {
  const { connection, deployment } = chainOf(config);
  const market = await fetchMarket(connection, new PublicKey(mint), { deployment });
  return market?.venue === 'pool' ? market.pool : undefined;
}
