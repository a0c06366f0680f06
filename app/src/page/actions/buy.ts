// The transaction of an action: a buy that the user's wallet signs and sends.
import {
  buy,
  fetchMarket,
  formatSol,
  formatTokens,
  prepareTransaction,
  quoteBuy,
  suggestComputeUnitPrice,
  TransactionError,
} from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../../context.js';
import { HttpProblem, unavailable } from '../../http/problem.js';
import { TOKEN_NOT_FOUND } from '../../http/error-shapes.js';
import { closedBecause } from './card.js';

/** The page's, unless the user sets another. */
const SLIPPAGE_BPS = 100;
/** From this price impact on, the message says it. */
const HIGH_IMPACT_BPS = 500;

export interface ActionBuy {
  readonly mint: string;
  /** The wallet that pays and signs. */
  readonly account: string;
  readonly lamports: bigint;
}

/**
 * Builds and simulates the buy, but does not sign it.
 *
 * @returns the transaction in base64, and a sentence that says what it buys
 * @throws HttpProblem 404 for an unknown token, 409 when it does not trade, 422 when the buy would fail, 503 when the RPC
 * node does not answer
 */
export async function transactionOf(
  { connection, deployment }: Context,
  { mint, account, lamports }: ActionBuy,
): Promise<{ readonly transaction: string; readonly message: string }> {
  const payer = new PublicKey(account);
  try {
    const market = await fetchMarket(connection, new PublicKey(mint), { deployment });
    if (market === null) throw new HttpProblem(404, TOKEN_NOT_FOUND.code, TOKEN_NOT_FOUND.description);
    const { venue } = market;
    if (venue === 'graduating' || venue === 'unknown')
      throw new HttpProblem(409, 'TOKEN_NOT_TRADING', closedBecause(venue));
    const quote = quoteBuy(market, lamports, SLIPPAGE_BPS);
    const instructions = buy({ payer, market, deployment, ...quote });
    const computeUnitPrice = await suggestComputeUnitPrice(connection, instructions);
    const prepared = await prepareTransaction(
      connection,
      { payer, instructions, computeUnitPrice },
      { deployment },
    );
    return {
      transaction: Buffer.from(prepared.transaction.serialize()).toString('base64'),
      message:
        `About ${formatTokens(quote.tokenOut)} tokens for ${formatSol(quote.solSpent)} SOL` +
        (quote.priceImpactBps < HIGH_IMPACT_BPS
          ? ''
          : `. It moves the price: each token costs ${dearer(quote.priceImpactBps)} more than now`),
    };
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    if (!(error instanceof TransactionError))
      throw unavailable('The RPC node does not answer; try again later', error);
    const held = BigInt(await connection.getBalance(payer).catch(() => Number.MAX_SAFE_INTEGER));
    const why =
      held <= lamports
        ? `The wallet has ${formatSol(held)} SOL; the buy takes ${formatSol(lamports)} SOL, its fees and the rent of a new token account`
        : `The buy would fail: ${error.message}`;
    throw new HttpProblem(422, 'TRADE_WOULD_FAIL', why, { cause: error });
  }
}

/** Who gets 20 % fewer tokens for the same SOL pays 25 % more for each. */
function dearer(impactBps: number): string {
  return `${Math.round((impactBps * 100) / (10_000 - impactBps))} %`;
}
