// Where a token trades: on its curve, in its pool, or nowhere for the moment between the two.
import type { PublicKey } from '@solana/web3.js';
import type { PoolAddresses, PoolState } from '../amm/index.js';
import { TradingMovedError } from '../errors.js';
import type { TokenOwnerData } from '../generated/accounts.js';
import type { CurveState } from '../quotes.js';

interface AnyMarket {
  readonly mint: PublicKey;
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
  readonly poolAddress: PublicKey | undefined;
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

/** A market that trades. @throws TradingMovedError for one that does not */
export function requireOpen(market: Market): CurveMarket | PoolMarket {
  if (market.venue === 'graduating') throw new TradingMovedError('graduating', market.poolAddress);
  if (market.venue === 'unknown') throw new TradingMovedError('unknown', undefined);
  return market;
}
