// Turns an order and the current state of the chain into instructions at the current price.
import type { Deployment } from '../accounts/deployment.js';
import type { TransactionInstruction } from '../chain/types.js';
import { ProgramError } from '../errors/index.js';
import { buyOn } from '../instructions/buy.js';
import { sellOn } from '../instructions/sell.js';
import { requireOpen } from '../venue/market.js';
import { buyOutQuote, buyQuote, sellOutQuote, sellQuote, venueOf } from '../venue/quoting.js';
import { InsufficientTokensError } from './errors.js';
import { requireTokenAccount, requireTokens } from './funds.js';
import type { Order } from './order.js';
import { minimumWithin, type PriceBound } from './price-bound.js';
import type { TraderState } from './state.js';

export interface Plan {
  readonly instructions: readonly TransactionInstruction[];
  /** Lamports that the trade takes from the wallet before it pays anything back. */
  readonly sol: bigint;
  /** Amount that the trade spends: lamports of a buy, token units of a sale. */
  readonly spends: bigint;
  /** The least amount that the trade accepts: token units of a buy, lamports of a sale. */
  readonly minimum: bigint;
  /** The most token units that it takes from the wallet. Below 0: it brings as many. */
  readonly takesTokens: bigint;
}

export interface PlanOptions {
  readonly deployment: Deployment;
  readonly slippageBps: number;
  readonly closeTokenAccount: boolean | undefined;
  /** The most that an exact-out trade may spend. Undefined before the first quote. */
  readonly most: bigint | undefined;
  /** The price limit of an exact-in buy. Undefined before the first quote. */
  readonly bound: PriceBound | undefined;
}

/**
 * Plans a trade. An exact-out trade spends the least that yields the amount now, so that it trades nothing in excess.
 * The chain refuses it when the price has worsened.
 *
 * @throws ProgramError `SlippageError` when an exact-out trade would spend more than it may
 */
export function planOf(state: TraderState, order: Order, options: PlanOptions): Plan {
  const plan = order.side === 'buy' ? planBuy(state, order, options) : planSell(state, order, options);
  const { most } = options;
  if (most === undefined || plan.spends <= most) return plan;
  const unit = order.side === 'buy' ? 'lamports' : 'token units';
  throw new ProgramError(6003, {
    explanation: `${order.name} ${order.amount} costs ${plan.spends} ${unit} now, more than the ${most} that the slippage allows; quote again`,
  });
}

function planBuy(
  { market, wallet }: TraderState,
  order: Order,
  { deployment, slippageBps, bound }: PlanOptions,
): Plan {
  const amount = order.amount as bigint;
  const open = requireOpen(market);
  const venue = venueOf(open);
  const quote = order.isExactOut
    ? buyOutQuote(venue, amount, 0)
    : buyQuote(venue, amount, bound === undefined ? slippageBps : 0);
  const { solToSpend, solSpent } = quote;
  const minTokenToReceive =
    bound === undefined
      ? (order.least ?? quote.minTokenToReceive)
      : minimumWithin(bound, quote, order.least === undefined ? slippageBps : undefined);
  const instructions = buyOn(open, { payer: wallet, solToSpend, minTokenToReceive, deployment });
  // With a pool, wrapped SOL that is left over returns after the trade. The curve takes only what it needs.
  const sol = market.venue === 'pool' ? solToSpend : solSpent;
  // For the last tokens of a curve the minimum limits the price, not the amount.
  const takesTokens = quote.clipped ? 0n : -minTokenToReceive;
  return { instructions, sol, spends: solToSpend, minimum: minTokenToReceive, takesTokens };
}

function planSell(state: TraderState, order: Order, options: PlanOptions): Plan {
  const { market, wallet, tokens } = state;
  const { deployment, slippageBps, closeTokenAccount } = options;
  const amount = order.amount === 'all' ? requireTokenAccount(state) : order.amount;
  if (order.amount === 'all' && amount === 0n) throw new InsufficientTokensError(wallet, market.mint, 1n, 0n);
  if (!order.isExactOut) requireTokens(state, amount);
  const open = requireOpen(market);
  const venue = venueOf(open);
  const quote = order.isExactOut ? sellOutQuote(venue, amount, 0) : sellQuote(venue, amount, slippageBps);
  const { tokenToSpend } = quote;
  const minSolToReceive = order.least ?? quote.minSolToReceive;
  requireTokens(state, tokenToSpend);
  const isAll = tokenToSpend === tokens;
  const instructions = sellOn(open, {
    payer: wallet,
    tokenToSpend,
    minSolToReceive,
    closeTokenAccount: closeTokenAccount === true && isAll,
    deployment,
  });
  const spent = { spends: tokenToSpend, takesTokens: tokenToSpend };
  return { instructions, sol: 0n, ...spent, minimum: minSolToReceive };
}
