// trade() over Kit.
import type { Address, Signature, Slot, Transaction, TransactionWithLifetime } from '@solana/kit';
import { requireKnown } from '../../checks/options.js';
import type { TradeRecord } from '../../generated/kit/records.js';
import {
  PREPARE_PARAMS,
  type PreparingRules,
  TRADE_PARAMS,
  type TradeAmount,
  type TradeRules,
  type TradeTerms,
} from '../../trade/options.js';
import type { TradeOutcome } from '../../trade/result.js';
import { runPrepareTrade, runTrade } from '../../trade/run-trade.js';
import { keyOf, promised, signerKey, withAddresses } from '../convert.js';
import { connectionOf, type TradeRpc } from './connection.js';
import { coreRoute, SENDING_OPTIONS, type SendingOptions } from './options.js';
import { signerOf, timedOf } from './wallet.js';

/** Parameters of {@link trade}. */
export type TradeParams = SendingOptions &
  TradeRules &
  TradeAmount & {
    /** The token's mint. */
    readonly mint: Address;
  };

/** The result of a trade, read from the transaction that landed. Lamports and smallest token units. */
export interface TradeResult extends TradeOutcome {
  readonly signature: Signature;
  readonly slot: Slot;
  /** The program's log record. Undefined for a trade with a pool. */
  readonly record: TradeRecord | undefined;
}

/**
 * Buys or sells, on the curve or in the pool: builds and simulates the transaction, lets the wallet sign it, sends it,
 * waits, and returns the result. Works like `trade` of `@curvekit/sdk/trade`.
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
export function trade(rpc: TradeRpc, params: TradeParams): Promise<TradeResult> {
  return promised(async () => {
    requireKnown('params', params, ...TRADE_PARAMS, SENDING_OPTIONS);
    const terms = { ...params, ...coreRoute(params), mint: keyOf(params.mint) } as TradeTerms;
    const signer = () => signerOf(params.wallet, [], terms.composition?.lookupTables);
    const result = await runTrade(connectionOf(rpc), terms, signer);
    return { ...(withAddresses(result) as TradeResult), slot: BigInt(result.slot) };
  });
}

/** Parameters of {@link prepareTrade}. */
export type PrepareTradeParams = PreparingRules &
  TradeRules &
  TradeAmount &
  Pick<SendingOptions, 'deployment' | 'composition'> & {
    /** The token's mint. */
    readonly mint: Address;
    /** Who pays and will sign: a signer, of which only the address is used. */
    readonly wallet: { readonly address: Address };
  };

/**
 * The transaction that {@link trade} would have signed and sent, after the same checks. Sign it, and send it with
 * `sendAndConfirm`, or on a way of your own. Throws what `trade` throws before the signing.
 */
export function prepareTrade(
  rpc: TradeRpc,
  params: PrepareTradeParams,
): Promise<Transaction & TransactionWithLifetime> {
  return promised(async () => {
    requireKnown('params', params, ...PREPARE_PARAMS);
    const terms = { ...params, ...coreRoute(params), mint: keyOf(params.mint) } as TradeTerms;
    return timedOf(await runPrepareTrade(connectionOf(rpc), terms, signerKey('wallet', params.wallet)));
  });
}
