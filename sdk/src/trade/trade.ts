// One call for a trade on the curve or in the pool, with an exact amount on either side.
import type { Connection } from '../chain/types.js';
import { requireKnown } from '../checks/options.js';
import type { PreparedTransaction } from '../transactions/prepare.js';
import {
  PREPARE_PARAMS,
  type PrepareTradeParams,
  SENDING_OPTIONS,
  TRADE_PARAMS,
  type TradeParams,
} from './options.js';
import type { TradeResult } from './result.js';
import { runPrepareTrade, runTrade } from './run-trade.js';
import { signerOf } from './wallet.js';

/**
 * Buys or sells, on the curve or in the pool: builds and simulates the transaction, lets the wallet sign it, sends it,
 * waits, and returns the result.
 *
 * An exact-out trade spends the least that yields the amount at the latest state. The chain enforces the amount as a
 * minimum. The trade may yield extra: what the last lamport (of a sale: the last token unit) yields, and more if the
 * price improves before it lands. If the price worsens, the chain refuses the trade. Then it is quoted and signed
 * again, up to three times in total, as long as it costs at most `slippageBps` more than the first quote.
 *
 * An exact-out buy of more tokens than the curve has left buys the rest, at no higher price per token: then its minimum
 * limits the price and not the amount.
 *
 * A trade with a pool goes through the wallet's account of wrapped SOL and closes it: wrapped SOL that the wallet had
 * before becomes SOL as well.
 *
 * If a pool opens within a second, the trade waits for it, by the cluster's clock.
 *
 * A trade makes four requests besides polling (which includes fetching the landed transaction): accounts, recent fees,
 * simulation, sending; a connection asks for the rent once in ten minutes. What only reads is repeated when the node
 * fails for a moment. A refusal that may pass by itself, such as too few tokens, is believed after three more reads
 * within 1.4 s. Without an answer about recent
 * fees the priority fee is 0. After a trade, accounts and simulations are read from a node that has its slot, so a pool
 * of nodes may have one that is behind.
 *
 * The wallet is asked only after the simulated transaction has been compared with the order: it takes no more SOL and
 * tokens than the order says, with fees and rent, and leaves the wallet and its token account under the wallet's
 * control. A tip, and lamports that your own instructions may take (`compose`), come in addition.
 * A program can still behave differently when the transaction is executed: trade with a program that you know.
 *
 * @throws InvalidArgumentError before any request
 * @throws ExcessiveLossError before the signing, when the simulated transaction takes more than the order allows
 * @throws InsufficientSolError, InsufficientTokensError, NoTokenAccountError, WrongClusterError, WrongDeploymentError,
 *   TradingMovedError and other ProgramErrors before the signing
 * @throws RpcError before the signing, when the RPC node refuses, fails or does not answer
 * @throws UnfinishedTransactionError while an earlier transaction is remembered; ChangedTransactionError
 * @throws BlockhashExpiredError, TransactionError, TransactionExpiredError: nothing was traded
 * @throws OutcomeUnknownError, IncompleteTransactionError, with the signature: look it up, do not trade again
 * @throws the signal's reason, or the wallet's error: nothing was sent
 */
export async function trade(connection: Connection, params: TradeParams): Promise<TradeResult> {
  requireKnown('params', params, ...TRADE_PARAMS, SENDING_OPTIONS);
  return runTrade(connection, params, () =>
    signerOf(connection, params.wallet, params.composition?.lookupTables),
  );
}

/**
 * The transaction that {@link trade} would have signed and sent, after the same checks. Sign it, and send it with
 * `sendAndConfirm`, or on a way of your own. Throws what `trade` throws before the signing.
 */
export async function prepareTrade(
  connection: Connection,
  params: PrepareTradeParams,
): Promise<PreparedTransaction> {
  requireKnown('params', params, ...PREPARE_PARAMS);
  const { publicKey } = Object(params.wallet) as PrepareTradeParams['wallet'];
  return runPrepareTrade(connection, params, publicKey);
}
