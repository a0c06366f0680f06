// A trade, independent of the Solana library: the caller provides the connection and the signer.
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import type { Connection, PublicKey } from '../chain/types.js';
import { requireAccountKey, requireInteger } from '../checks/keys.js';
import { maximumAfterSlippage } from '../curve/slippage.js';
import { IncompleteTransactionError } from '../errors/index.js';
import { BASIS_POINTS } from '../generated/constants.js';
import { decodeRecords } from '../records/decode.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { isSlippageError } from '../transactions/errors.js';
import type { PoolMarket } from '../venue/market.js';
import { signAndFollow } from './follow.js';
import { rentOfTrade, requireSol } from './funds.js';
import { moneyOf, readLanded } from './landed.js';
import { whenOpen } from './opening.js';
import { DEFAULT_SLIPPAGE_BPS, type TradeTerms } from './options.js';
import { orderOf, type Order } from './order.js';
import { planOf } from './plan.js';
import { prepare } from './prepare.js';
import type { PriceBound } from './price-bound.js';
import type { TradeResult } from './result.js';
import { readingFor, requireRules } from './rules.js';
import type { Signer } from './signer.js';
import { readTrader, requireVenue, requireVenueName, type TraderState } from './state.js';
import { requireFinished } from './unfinished.js';

/** Exact-out trades and buys are quoted and signed again when the price has worsened in the meantime. */
const MOST_ATTEMPTS = 3;

/** @param signerOf called after the other arguments were checked */
export async function runTrade(
  connection: Connection,
  terms: TradeTerms,
  signerOf: () => Signer,
): Promise<TradeResult> {
  const { deployment = DEFAULT_DEPLOYMENT, slippageBps = DEFAULT_SLIPPAGE_BPS, signal } = terms;
  const order = orderOf(terms);
  const mint = requireAccountKey('mint', terms.mint);
  requireRules(terms);
  const signer = signerOf();
  const wallet = signer.publicKey;
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  requireVenueName(terms.venue);
  requireFinished(terms.remember);
  const node = readingFor(connection, terms);
  let most: bigint | undefined;
  let bound: PriceBound | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const state = await readTrader(node, mint, wallet, deployment);
    const { market } = state;
    requireVenue(market, terms.venue);
    const { closeTokenAccount } = terms;
    const options = { deployment, slippageBps, closeTokenAccount, most, bound };
    const plan = planOf(state, order, options);
    if (order.isExactOut) most ??= maximumAfterSlippage(plan.spends, slippageBps);
    const checkFunds = (fees: bigint) => {
      const costs = { amount: plan.sol, rent: rentOfTrade(state, order.side), fees };
      requireSol(wallet, state.lamports, costs);
    };
    try {
      const parts = { payer: wallet, instructions: plan.instructions };
      const preparing = () => prepare(connection, parts, terms, checkFunds);
      const prepared = await (market.venue === 'pool'
        ? whenOpen(connection, market.pool, preparing, signal)
        : preparing());
      const landed = await signAndFollow(connection, prepared, signer, terms);
      const transaction = await readLanded(connection, landed.signature, terms);
      return { ...landed, ...resultOf(transaction, state, order, deployment) };
    } catch (error) {
      const mayChange = order.isExactOut || order.side === 'buy';
      if (!mayChange || attempt === MOST_ATTEMPTS || !isSlippageError(error)) throw error;
      if (!order.isExactOut)
        bound = { minTokenToReceive: bound?.minTokenToReceive ?? plan.minimum, refusal: error };
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

/** The program's log record of a wallet's trade. */
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
