// Where a token trades: on its curve, in its pool, or temporarily nowhere between the two.
import type { PoolAddresses } from '../amm/amm.js';
import type { PoolState } from '../amm/maths.js';
import type { PublicKey } from '../chain/types.js';
import { requireObject } from '../checks/options.js';
import { TradingMovedError } from '../errors/index.js';
import type { TokenOwnerData } from '../generated/accounts.js';
import type { CurveState } from './quotes.js';

interface AnyMarket {
  readonly mint: PublicKey;
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
  readonly poolAddress: PublicKey | undefined;
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

/** Returns a market that trades. @throws TradingMovedError for one that does not */
export function requireOpen(market: Market): CurveMarket | PoolMarket {
  requireObject('market', market);
  if (market.venue === 'graduating') throw new TradingMovedError('graduating', market.poolAddress);
  if (market.venue === 'unknown') throw new TradingMovedError('unknown', undefined);
  return market;
}
