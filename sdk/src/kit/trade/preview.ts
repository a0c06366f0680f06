// previewTransaction() over Kit.
import type {
  Address,
  GetMultipleAccountsApi,
  Rpc,
  SimulateTransactionApi,
  Slot,
  Transaction,
} from '@solana/kit';
import { requireKnown } from '../../checks/options.js';
import type { TransactionError } from '../../errors/index.js';
import type { RpcOptions } from '../../rpc/ask.js';
import { PREVIEW_TERMS, type PreviewTerms as CoreTerms } from '../../trade/options.js';
import * as core from '../../trade/preview.js';
import type { BalanceChange, PreviewOutcome } from '../../trade/result.js';
import { coreDeployment, type Deployment } from '../accounts/deployment.js';
import { keyOf, promised, translatedError, withAddresses, withKeys } from '../convert.js';
import { connectionOf, type TradeRpc } from './connection.js';
import { coreOf } from './wallet.js';

/** What a preview shows. */
export interface PreviewTerms extends RpcOptions {
  /** The wallet whose balances are shown. */
  readonly wallet: Address;
  /** The tokens to show, up to 20, in the wallet's associated token accounts. Default: none. */
  readonly mints?: readonly Address[] | undefined;
  /** The build whose errors are decoded. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

/** The effect of a transaction on a wallet. */
export interface TransactionPreview extends PreviewOutcome {
  /** Slot of the simulation. */
  readonly slot: Slot;
  /** Token units of each mint, in the requested order. 0 without an account. */
  readonly tokens: readonly (BalanceChange & { readonly mint: Address })[];
}

/**
 * Simulates a transaction and returns the changes of a wallet's SOL and tokens, like `previewTransaction` of
 * `@curvekit/sdk/trade`.
 *
 * @throws InvalidArgumentError before any request
 * @throws RpcError; the signal's reason
 */
export function previewTransaction(
  rpc: Rpc<GetMultipleAccountsApi & SimulateTransactionApi>,
  transaction: Transaction,
  given: PreviewTerms,
): Promise<TransactionPreview> {
  return promised(async () => {
    requireKnown('terms', given, ...PREVIEW_TERMS);
    const { wallet, mints, deployment, ...options } = given;
    const terms: CoreTerms = {
      ...options,
      wallet: keyOf(wallet),
      mints: withKeys(mints) as CoreTerms['mints'],
      deployment: coreDeployment(deployment),
    };
    const preview = await core.previewTransaction(connectionOf(rpc as TradeRpc), coreOf(transaction), terms);
    const error = preview.error && (translatedError(preview.error) as TransactionError);
    return { ...(withAddresses(preview) as TransactionPreview), error, slot: BigInt(preview.slot) };
  });
}
