// The result of a trade, without the parts that differ between the Solana libraries.
import type { PoolSwap } from '../amm/trade.js';
import type { TransactionError } from '../errors/index.js';
import type { Price } from '../curve/price.js';
import type { OptionNames } from '../checks/options.js';

/** The result of a trade, read from the transaction that landed. Lamports and smallest token units. */
export interface TradeOutcome {
  readonly side: 'buy' | 'sell';
  readonly venue: 'curve' | 'pool';
  /** Lamports that a buyer paid, fee included, or that a seller received, after the fee. */
  readonly solAmount: bigint;
  /** Token units that the buyer received or the seller paid. */
  readonly tokenAmount: bigint;
  /** The platform's fee of the trade in lamports. 0 for a trade with a pool. */
  readonly platformFee: bigint;
  /** Lamports of the network fee, priority fee included. */
  readonly networkFee: bigint;
  /** Change of the wallet's lamports: trade, network fee and rent. */
  readonly walletChange: bigint;
  /** The average price with all fees of the trade: `solAmount / tokenAmount`. */
  readonly price: Price;
  /** The pool's swap. Undefined for a trade on the curve. */
  readonly swap: PoolSwap | undefined;
}

/** Options of a trade besides its amount. */
export interface TradeRules {
  /** How much worse than quoted the price may become, in basis points. Default 100: 1 %. */
  readonly slippageBps?: number | undefined;
  /**
   * The least token units that a buy for `solToSpend` must yield, from a quote that the user saw. It replaces
   * `slippageBps`, which applies to the price at the time of the call.
   */
  readonly minTokenToReceive?: bigint | undefined;
  /** The least lamports that a sale of `tokenToSpend` must yield. It replaces `slippageBps` in the same way. */
  readonly minSolToReceive?: bigint | undefined;
  /** The market of the user's quote. If the token has moved since, the trade throws a TradingMovedError. */
  readonly venue?: 'curve' | 'pool' | undefined;
  /** Closes the token account after a sale of everything. The wallet gets the rent back. */
  readonly closeTokenAccount?: boolean | undefined;
}

export const TRADE_RULES = {
  slippageBps: true,
  minTokenToReceive: true,
  minSolToReceive: true,
  venue: true,
  closeTokenAccount: true,
} as const satisfies OptionNames<TradeRules>;

/** A balance in lamports or in smallest token units. */
export interface BalanceChange {
  readonly before: bigint;
  readonly after: bigint;
}

/** The effect of a transaction on a wallet, without tokens. */
export interface PreviewOutcome {
  /**
   * Why the transaction would fail. Then each `after` equals its `before`, though a network fee may be lost. Null when
   * it would succeed.
   */
  readonly error: TransactionError | null;
  readonly computeUnits: number;
  /** Lamports, after the network fee if the wallet pays it. */
  readonly sol: BalanceChange;
}
