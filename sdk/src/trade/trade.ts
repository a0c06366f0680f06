// One call for a trade: on the curve or in the pool, of an exact amount on either side.
import type { Connection } from '@solana/web3.js';
import type { SendingOptions } from './options.js';
import { runTrade, type TradeResult, type TradeTerms } from './run-trade.js';
import { signerOf } from './wallet.js';

/** Parameters of {@link trade}. */
export type TradeParams = TradeTerms & Pick<SendingOptions, 'wallet'>;

/**
 * Buys or sells, on the curve or in the pool: builds, simulates, has it signed, sends, waits, and tells what happened.
 *
 * An exact-out trade spends the least that yields the amount at the latest state. The amount is a minimum that the chain
 * enforces: what one lamport (one token unit of a sale) yields may come in excess, and more if the price gets better before it
 * lands. If it gets worse, the chain refuses, and the trade is quoted and signed again, up to three times in all, for as long as it
 * costs at most `slippageBps` more than the first quote.
 *
 * A pool that opens within the second is waited for, by the cluster's clock.
 *
 * Four requests beside polling (the landed transaction included): accounts, recent fees, simulation, sending.
 *
 * @throws InvalidArgumentError before any request
 * @throws InsufficientSolError, InsufficientTokensError, NoTokenAccountError, WrongClusterError, TradingMovedError and other
 *   ProgramErrors before the signing
 * @throws UnfinishedTransactionError while an earlier transaction is remembered; ChangedTransactionError
 * @throws BlockhashExpiredError, TransactionError, TransactionExpiredError: nothing was traded
 * @throws OutcomeUnknownError, IncompleteTransactionError, with the signature: look it up, do not trade again
 * @throws the signal's reason, or the wallet's error: nothing was sent
 */
export async function trade(connection: Connection, params: TradeParams): Promise<TradeResult> {
  return runTrade(connection, params, () => signerOf(connection, params.wallet));
}
