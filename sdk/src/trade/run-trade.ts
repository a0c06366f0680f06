// A trade, independent of the Solana library: the caller provides the connection and the signer.
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import type { Connection, PublicKey } from '../chain/types.js';
import { requireAccountKey } from '../checks/keys.js';
import { mostAfterSlippage } from '../curve/maths.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { readerOf, requireConnection } from '../rpc/reading.js';
import { readRent, type Rent } from '../rpc/rent.js';
import { isSlippageError } from '../transactions/errors.js';
import type { PreparedTransaction } from '../transactions/prepare.js';
import type { PoolMarket } from '../venue/market.js';
import { askAgain } from './ask-again.js';
import { signAndFollow } from './follow.js';
import { rentOfTokens, rentOfWrappedSol, requireSol } from './funds.js';
import { moneyOf, readLanded } from './landed.js';
import { whenOpen } from './opening.js';
import {
  type Composition,
  DEFAULT_SLIPPAGE_BPS,
  type PrepareTradeParams,
  type TradeAmount,
  type TradeTerms,
} from './options.js';
import { orderOf, type Order } from './order.js';
import { planOf, type Plan } from './plan.js';
import { prepare, type Checks } from './prepare.js';
import type { PriceBound } from './price-bound.js';
import type { TradeResult } from './result.js';
import { recordOf, tradeMissing, type Traded } from './recorded.js';
import { requireRules, requireSlippage, requireVenueName } from './rules.js';
import type { Signer } from './signer.js';
import { readTrader, requireVenue, type TraderState } from './state.js';
import { requireFinished } from './unfinished.js';

/** Exact-out trades and buys are quoted and signed again when the price has worsened in the meantime. */
const MOST_ATTEMPTS = 3;

/** @param signerOf called after the other arguments were checked */
export function runTrade(
  connection: Connection,
  terms: TradeTerms,
  signerOf: () => Signer,
): Promise<TradeResult> {
  const { deployment = DEFAULT_DEPLOYMENT, composition } = terms;
  const checked = () => {
    const signer = signerOf();
    composition?.requireComposable(signer, composition);
    composition?.requireComposition(composition, [signer.publicKey]);
    requireFinished(terms.remember);
    return signer;
  };
  return planned(connection, terms, checked, async (prepared, signer, state, order) => {
    const landed = await signAndFollow(connection, prepared, signer, terms);
    const transaction = await readLanded(connection, landed.signature, terms);
    return { ...landed, ...resultOf(transaction, state, order, deployment) };
  });
}

/** The transaction of a trade, which the caller has signed and sends. */
export function runPrepareTrade(
  connection: Connection,
  terms: Omit<PrepareTradeParams, 'wallet'> & TradeAmount,
  publicKey: PublicKey,
): Promise<PreparedTransaction> {
  const whoPays = () => {
    terms.composition?.requireComposition(terms.composition, undefined);
    return { publicKey: requireAccountKey('wallet', publicKey) };
  };
  return planned(connection, terms, whoPays, (prepared) => Promise.resolve(prepared));
}

/**
 * Quotes and prepares a trade, as often as its price demands.
 *
 * @param whoPays called after the other arguments were checked
 * @param finish what happens to the prepared transaction
 */
async function planned<Payer extends Pick<Signer, 'publicKey'>, Result>(
  connection: Connection,
  terms: Omit<PrepareTradeParams, 'wallet'> & TradeAmount,
  whoPays: () => Payer,
  finish: (prepared: PreparedTransaction, payer: Payer, state: TraderState, order: Order) => Promise<Result>,
): Promise<Result> {
  const { deployment = DEFAULT_DEPLOYMENT, slippageBps = DEFAULT_SLIPPAGE_BPS, signal } = terms;
  const order = orderOf(terms);
  const mint = requireAccountKey('mint', terms.mint);
  requireRules(terms);
  requireSlippage(slippageBps);
  requireVenueName(terms.venue);
  const payer = whoPays();
  const wallet = payer.publicKey;
  requireConnection(connection);
  const node = readerOf(connection, { signal: terms.signal, timeoutMs: terms.readTimeoutMs });
  let most: bigint | undefined;
  let bound: PriceBound | undefined;
  for (let attempt = 1; ; attempt += 1) {
    let plan: Plan | undefined;
    const preparing = async (isAgain: boolean) => {
      const [state, rent] = await Promise.all([
        readTrader(node, mint, wallet, deployment),
        readRent(node, isAgain),
      ]);
      const { market } = state;
      requireVenue(market, terms.venue);
      const { closeTokenAccount } = terms;
      plan = planOf(state, order, { deployment, slippageBps, closeTokenAccount, most, bound });
      if (order.isExactOut) most ??= mostAfterSlippage(plan.spends, slippageBps);
      const checks = checksOf(state, order, plan, rent, terms);
      const parts = { payer: wallet, instructions: plan.instructions };
      const simulating = () => prepare({ connection, node }, parts, terms, checks);
      const prepared = await (market.venue === 'pool'
        ? whenOpen(connection, market.pool, simulating, signal)
        : simulating());
      return { state, prepared };
    };
    try {
      const { state, prepared } = await askAgain(preparing, signal);
      return await finish(prepared, payer, state, order);
    } catch (error) {
      const mayChange = order.isExactOut || order.side === 'buy';
      if (!mayChange || attempt === MOST_ATTEMPTS || !isSlippageError(error) || plan === undefined)
        throw error;
      if (!order.isExactOut)
        bound = { minTokenToReceive: bound?.minTokenToReceive ?? plan.minimum, refusal: error };
    }
  }
}

/** What the order allows, and what the wallet must have. */
function checksOf(
  state: TraderState,
  { side }: Order,
  plan: Plan,
  rent: Rent,
  {
    deployment = DEFAULT_DEPLOYMENT,
    closeTokenAccount = false,
    composition,
  }: Pick<TradeTerms, 'deployment' | 'closeTokenAccount' | 'composition'>,
): Checks {
  const { before = [], tip }: Composition = composition ?? {};
  const { wallet, lamports, market, tokenAccount: address, held: account } = state;
  const ofTokens = rentOfTokens(state, side, rent);
  const isBuy = side === 'buy';
  return {
    funds: (fees, hasFailed) => {
      // Instructions before the trade may bring what it needs.
      if (before.length > 0 && !hasFailed) return;
      const amount = plan.sol + (tip?.lamports ?? 0n);
      const costs = { amount, rent: ofTokens + rentOfWrappedSol(state, rent), fees };
      requireSol(wallet, lamports, costs, rent);
    },
    allowance: {
      wallet,
      lamports,
      sol: ofTokens + (isBuy ? plan.spends : -plan.minimum),
      programId: deployment.programId,
      tokens: {
        mint: market.mint,
        address,
        account,
        units: plan.takesTokens,
        mayClose: closeTokenAccount,
      },
    },
  };
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

function swapOf(transaction: ConfirmedTransaction, { addresses }: PoolMarket, wallet: PublicKey): Traded {
  const swap = AMM.swaps(transaction, addresses).find(({ trader }) => trader === wallet.toBase58());
  if (swap === undefined) throw tradeMissing(transaction);
  const { input, amountIn, amountOut } = swap;
  const [solAmount, tokenAmount] = input === 'sol' ? [amountIn, amountOut] : [amountOut, amountIn];
  return { venue: 'pool', solAmount, tokenAmount, platformFee: 0n, record: undefined, swap };
}
