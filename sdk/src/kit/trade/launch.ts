// launch() over Kit.
import {
  generateKeyPairSigner,
  isTransactionPartialSigner,
  type Signature,
  type Slot,
  type TransactionPartialSigner,
} from '@solana/kit';
import { requireKnown } from '../../checks/options.js';
import { InvalidArgumentError } from '../../errors/index.js';
import type { CreateRecord } from '../../generated/kit/records.js';
import type { FeeShareRules, FirstBuyRules } from '../../trade/options.js';
import { LAUNCH_PARAMS, type LaunchTerms } from '../../trade/options.js';
import { runLaunch } from '../../trade/run-launch.js';
import { signerKey, promised, withAddresses } from '../convert.js';
import type { CreateTokenParams } from '../instructions.js';
import { connectionOf, type TradeRpc } from './connection.js';
import { coreRoute, SENDING_OPTIONS, type SendingOptions } from './options.js';
import type { TradeResult } from './trade.js';
import { signerOf } from './wallet.js';

/** Parameters of {@link launch}. Omitted terms are 0. */
export interface LaunchParams
  extends
    SendingOptions,
    FirstBuyRules,
    FeeShareRules,
    Pick<
      CreateTokenParams,
      | 'name'
      | 'symbol'
      | 'uri'
      | 'afterMigrationFee'
      | 'afterMigrationBurnBp'
      | 'afterMigrationHoldersBp'
      | 'afterMigrationLpBp'
    > {
  /** The key of the token's mint. Default: a new one. */
  readonly mint?: TransactionPartialSigner | undefined;
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
    const signer = () => signerOf(wallet, [mint]);
    const result = await runLaunch(connectionOf(rpc), key, terms, signer);
    return { ...(withAddresses(result) as LaunchResult), slot: BigInt(result.slot), mint };
  });
}
