// All that trade(), launch() and previewTransaction() return.
import type { PoolSwap } from '../amm/trade.js';
import type { Keypair, PublicKey } from '../chain/types.js';
import type { Price } from '../curve/price.js';
import type { TransactionError } from '../errors/index.js';
import type { CreateRecord, TradeRecord } from '../generated/records.js';
import type { AskedTransaction } from '../landing/asked.js';
import type { SignedTransaction } from '../landing/landing.js';

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

/** The result of a trade, read from the transaction that landed. Lamports and smallest token units. */
export interface TradeResult extends TradeOutcome {
  readonly signature: string;
  readonly slot: number;
  /** The program's log record. Undefined for a trade with a pool. */
  readonly record: TradeRecord | undefined;
}

/** The result of a launch, read from the transaction that landed. */
export interface LaunchOutcome extends Pick<
  TradeResult,
  'signature' | 'slot' | 'networkFee' | 'walletChange'
> {
  readonly record: CreateRecord;
  /** Undefined without a first buy. */
  readonly firstBuy: Pick<TradeResult, 'solAmount' | 'tokenAmount' | 'platformFee' | 'record'> | undefined;
}

/** The result of a launch, read from the transaction that landed. */
export interface LaunchResult extends LaunchOutcome {
  /** Its `publicKey` is the token's address. */
  readonly mint: Keypair;
}

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

/** The effect of a transaction on a wallet. */
export interface TransactionPreview extends PreviewOutcome {
  /** Slot of the simulation. */
  readonly slot: number;
  /** Token units of each mint, in the requested order. 0 without an account. */
  readonly tokens: readonly (BalanceChange & { readonly mint: PublicKey })[];
}

/** The outcome of a remembered transaction. `pending`: not known yet. `none`: no transaction is remembered. */
export type RememberedOutcome = 'none' | 'pending' | 'succeeded' | 'failed' | 'expired';

/** A transaction whose outcome is not known yet. */
export interface RememberedTransaction extends SignedTransaction {
  /** The slot of its blockhash. */
  readonly blockhashSlot?: number | undefined;
  /** When a wallet that sends by itself has not told the signature: what it was asked for. */
  readonly asked?: AskedTransaction | undefined;
}
