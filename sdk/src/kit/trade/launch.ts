// launch() over Kit.
import {
  generateKeyPairSigner,
  isTransactionPartialSigner,
  type Address,
  type Signature,
  type Slot,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionWithLifetime,
} from '@solana/kit';
import { requireAccountKey } from '../../checks/keys.js';
import { requireKnown } from '../../checks/options.js';
import { InvalidArgumentError } from '../../errors/index.js';
import type { CreateRecord } from '../../generated/kit/records.js';
import {
  type FeeShareRules,
  type FirstBuyRules,
  LAUNCH_PARAMS,
  type LaunchTerms,
  PREPARE_LAUNCH_PARAMS,
  type PreparingRules,
  type TokenTerms,
} from '../../trade/options.js';
import { runLaunch, runPrepareLaunch } from '../../trade/run-launch.js';
import { keyOf, promised, signerKey, withAddresses } from '../convert.js';
import { connectionOf, type TradeRpc } from './connection.js';
import { coreRoute, SENDING_OPTIONS, type SendingOptions } from './options.js';
import type { PrepareTradeParams, TradeResult } from './trade.js';
import { signerOf, timedOf } from './wallet.js';

/** Parameters of {@link launch}. */
export interface LaunchParams extends SendingOptions, FirstBuyRules, FeeShareRules, TokenTerms {
  /** The key of the token's mint. Default: a new one. */
  readonly mint?: TransactionPartialSigner | undefined;
}

/** Parameters of {@link prepareLaunch}. */
export interface PrepareLaunchParams
  extends
    PreparingRules,
    FirstBuyRules,
    TokenTerms,
    Pick<PrepareTradeParams, 'deployment' | 'composition' | 'wallet'> {
  /** The token's mint. Its key signs as well. */
  readonly mint: Address;
}

/** The result of a launch, read from the transaction that landed. */
export interface LaunchResult {
  readonly signature: Signature;
  readonly slot: Slot;
  /** Lamports of the network fee, priority fee included. */
  readonly networkFee: bigint;
  /** Change of the wallet's lamports: first buy, network fee and rent. */
  readonly walletChange: bigint;
  /** Its `address` is the token's address. */
  readonly mint: TransactionPartialSigner;
  readonly record: CreateRecord;
  /** Undefined without a first buy. */
  readonly firstBuy: Pick<TradeResult, 'solAmount' | 'tokenAmount' | 'platformFee' | 'record'> | undefined;
}

/**
 * Creates a token: builds and simulates the transaction, lets the wallet and the mint's key sign it, sends it, waits,
 * and returns the result. Throws the errors of {@link trade}.
 */
export function launch(rpc: TradeRpc, params: LaunchParams): Promise<LaunchResult> {
  return promised(async () => {
    requireKnown('params', params, ...LAUNCH_PARAMS, SENDING_OPTIONS);
    const { mint = await generateKeyPairSigner(), wallet } = params;
    const key = signerKey('mint', mint);
    if (!isTransactionPartialSigner(mint))
      throw new InvalidArgumentError('mint', 'must be a TransactionPartialSigner: a key that only signs');
    const terms = { ...params, ...coreRoute(params) } as LaunchTerms;
    const signer = () => signerOf(wallet, [mint], terms.composition?.lookupTables);
    const result = await runLaunch(connectionOf(rpc), key, terms, signer);
    return { ...(withAddresses(result) as LaunchResult), slot: BigInt(result.slot), mint };
  });
}

/**
 * The transaction that {@link launch} would have signed and sent, after the same checks. The wallet and the mint's key
 * sign it. Throws what `launch` throws before the signing.
 */
export function prepareLaunch(
  rpc: TradeRpc,
  params: PrepareLaunchParams,
): Promise<Transaction & TransactionWithLifetime> {
  return promised(async () => {
    requireKnown('params', params, ...PREPARE_LAUNCH_PARAMS);
    const mint = requireAccountKey('mint', keyOf(params.mint));
    const terms = { ...params, ...coreRoute(params) } as LaunchTerms;
    const payer = signerKey('wallet', params.wallet);
    return timedOf(await runPrepareLaunch(connectionOf(rpc), mint, terms, payer));
  });
}
