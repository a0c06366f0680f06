// One call for a trade: on the curve or in the pool, of an exact amount on either side.
import type { Connection, PublicKey } from '@solana/web3.js';
import { AMM } from '../amm/in-use.js';
import type { PoolSwap } from '../amm/trade.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../deployment.js';
import { IncompleteTransactionError } from '../errors.js';
import { BASIS_POINTS } from '../generated/constants.js';
import type { TradeRecord } from '../generated/records.js';
import type { PoolMarket } from '../market/market.js';
import type { Price } from '../price.js';
import { decodeRecords } from '../records/decode.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { maximumAfterSlippage } from '../slippage.js';
import { isSlippageError } from '../transaction-errors.js';
import { requireAccountKey, requireInteger } from '../validation.js';
import { signAndFollow } from './follow.js';
import { rentOfTrade, requireSol } from './funds.js';
import { moneyOf, readLanded } from './landed.js';
import { DEFAULT_SLIPPAGE_BPS, requireSending, type SendingOptions } from './options.js';
import { orderOf, type Order, type TradeAmount } from './order.js';
import { planOf } from './plan.js';
import { prepare } from './prepare.js';
import { readTrader, type TraderState } from './state.js';

/** Parameters of {@link trade}. */
export type TradeParams = SendingOptions &
  TradeAmount & {
    /** The token's mint. */
    readonly mint: PublicKey;
    /** How much worse than quoted the price may get, in basis points. 100 by default: 1 %. */
    readonly slippageBps?: number | undefined;
    /** Closes the token account after a sale of everything, which returns its rent. */
    readonly closeTokenAccount?: boolean | undefined;
  };

/** What a trade did, by the transaction that landed. Lamports and smallest token units. */
export interface TradeResult {
  readonly signature: string;
  readonly slot: number;
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
  /** What the program logged; undefined in a pool. */
  readonly record: TradeRecord | undefined;
  /** What the pool swapped; undefined on the curve. */
  readonly swap: PoolSwap | undefined;
}

/** An exact-out trade is quoted and signed again when its price has got worse meanwhile. */
const MOST_ATTEMPTS = 3;

/**
 * Buys or sells, on the curve or in the pool: builds, simulates, has it signed, sends, waits, and tells what happened.
 *
 * An exact-out trade spends the least that yields the amount at the latest state. The amount is a minimum that the chain
 * enforces: what one lamport (one token unit of a sale) yields may come in excess, and more if the price gets better before it
 * lands. If it gets worse, the chain refuses, and the trade is quoted and signed again, up to three times in all, for as long as it
 * costs at most `slippageBps` more than the first quote.
 *
 * Four requests beside polling (the landed transaction included): accounts, recent fees, simulation, sending.
 *
 * @throws InvalidArgumentError before any request
 * @throws InsufficientSolError, InsufficientTokensError, NoTokenAccountError, WrongClusterError, TradingMovedError and other
 *   ProgramErrors before the signing
 * @throws BlockhashExpiredError, TransactionError, TransactionExpiredError: nothing was traded
 * @throws OutcomeUnknownError, IncompleteTransactionError, with the signature: look it up, do not trade again
 * @throws the signal's reason, or the wallet's error: nothing was sent
 */
export async function trade(connection: Connection, params: TradeParams): Promise<TradeResult> {
  const { deployment = DEFAULT_DEPLOYMENT, slippageBps = DEFAULT_SLIPPAGE_BPS, signal } = params;
  const order = orderOf(params);
  const mint = requireAccountKey('mint', params.mint);
  const wallet = requireSending(params);
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  let most: bigint | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const state = await readTrader(connection, mint, wallet, deployment, signal);
    const { closeTokenAccount } = params;
    const plan = planOf(state, order, { deployment, slippageBps, closeTokenAccount, most });
    if (order.isExactOut) most ??= maximumAfterSlippage(plan.spends, slippageBps);
    const checkFunds = (fees: bigint) => {
      const costs = { amount: plan.sol, rent: rentOfTrade(state, order.side), fees };
      requireSol(wallet, state.lamports, costs);
    };
    try {
      const parts = { payer: wallet, instructions: plan.instructions };
      const prepared = await prepare(connection, parts, params, checkFunds);
      const landed = await signAndFollow(connection, prepared, params);
      const transaction = await readLanded(connection, landed.signature, params.commitment);
      return { ...landed, ...resultOf(transaction, state, order, deployment) };
    } catch (error) {
      if (!order.isExactOut || attempt === MOST_ATTEMPTS || !isSlippageError(error)) throw error;
    }
  }
}

function resultOf(
  transaction: ConfirmedTransaction,
  { market, wallet }: TraderState,
  { side }: Order,
  deployment: Deployment,
): Omit<TradeResult, 'signature' | 'slot'> {
  const money = moneyOf(transaction, wallet);
  const traded =
    market.venue === 'pool'
      ? swapOf(transaction, market, wallet)
      : recordOf(transaction, market.mint, wallet, deployment);
  const { solAmount, tokenAmount } = traded;
  return { side, ...money, ...traded, price: { lamports: solAmount, tokenUnits: tokenAmount } };
}

type Traded = Pick<TradeResult, 'venue' | 'solAmount' | 'tokenAmount' | 'platformFee' | 'record' | 'swap'>;

/** What the program logged about a wallet's trade. */
export function recordOf(
  transaction: ConfirmedTransaction,
  mint: PublicKey,
  wallet: PublicKey,
  deployment: Deployment,
): Traded {
  for (const record of decodeRecords(transaction, deployment)) {
    if (record.kind !== 'trade' || !record.data.mint.equals(mint) || !record.data.trader.equals(wallet))
      continue;
    const { solAmount, tokenAmount, fee: platformFee } = record.data;
    return { venue: 'curve', solAmount, tokenAmount, platformFee, record: record.data, swap: undefined };
  }
  throw untold(transaction);
}

function swapOf(transaction: ConfirmedTransaction, { addresses }: PoolMarket, wallet: PublicKey): Traded {
  const swap = AMM.swaps(transaction, addresses).find(({ trader }) => trader === wallet.toBase58());
  if (swap === undefined) throw untold(transaction);
  const { input, amountIn, amountOut } = swap;
  const [solAmount, tokenAmount] = input === 'sol' ? [amountIn, amountOut] : [amountOut, amountIn];
  return { venue: 'pool', solAmount, tokenAmount, platformFee: 0n, record: undefined, swap };
}

function untold({ transaction }: ConfirmedTransaction): IncompleteTransactionError {
  return new IncompleteTransactionError(
    transaction.signatures[0] ?? '',
    'it has landed, but the node tells nothing of the trade in it; look its signature up at another node',
  );
}
