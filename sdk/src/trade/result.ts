// What a trade did, without what differs between the Solana libraries.
import type { PoolSwap } from '../amm/trade.js';
import type { TransactionError } from '../errors.js';
import type { Price } from '../price.js';

/** What a trade did, by the transaction that landed. Lamports and smallest token units. */
export interface TradeOutcome {
  readonly side: 'buy' | 'sell';
  readonly venue: 'curve' | 'pool';
  /** Lamports that the trade took of a buyer, fee included, or paid to a seller, after the fee. */
  readonly solAmount: bigint;
  /** Token units that the buyer received, or the seller gave. */
  readonly tokenAmount: bigint;
  /** Lamports of it for the platform; a pool takes none for it. */
  readonly platformFee: bigint;
  /** Lamports for the cluster, priority fee included. */
  readonly networkFee: bigint;
  /** By how much the wallet's lamports have changed: trade, network fee and rent. */
  readonly walletChange: bigint;
  /** The average price with all fees of the trade: `solAmount / tokenAmount`. */
  readonly price: Price;
  /** What the pool swapped; undefined on the curve. */
  readonly swap: PoolSwap | undefined;
}

/** What is asked of a trade beside its amount. */
export interface TradeRules {
  /** How much worse than quoted the price may get, in basis points. 100 by default: 1 %. */
  readonly slippageBps?: number | undefined;
  /**
   * The least token units that a buy for `solToSpend` must give, of a quote that was shown: in place of `slippageBps`, which
   * counts from the price at the time of the call.
   */
  readonly minTokenToReceive?: bigint | undefined;
  /** The least lamports that a sale of `tokenToSpend` must give: in place of `slippageBps` as well. */
  readonly minSolToReceive?: bigint | undefined;
  /** Where the trade was quoted. A token that has moved since is refused with a TradingMovedError. */
  readonly venue?: 'curve' | 'pool' | undefined;
  /** Closes the token account after a sale of everything, which returns its rent. */
  readonly closeTokenAccount?: boolean | undefined;
}

/** A balance in lamports or in smallest token units. */
export interface BalanceChange {
  readonly before: bigint;
  readonly after: bigint;
}

/** What a transaction would do to a wallet, tokens apart. */
export interface PreviewOutcome {
  /** Why it would fail: then each `after` is its `before`, though a network fee may be lost. Null when it would succeed. */
  readonly error: TransactionError | null;
  readonly computeUnits: number;
  /** Lamports, less the network fee where the wallet pays it. */
  readonly sol: BalanceChange;
}
