// previewTransaction() over Kit.
import type {
  Address,
  GetMultipleAccountsApi,
  Rpc,
  SimulateTransactionApi,
  Slot,
  Transaction,
} from '@solana/kit';
import type { TransactionError } from '../../errors.js';
import * as core from '../../trade/preview.js';
import type { BalanceChange, PreviewOutcome } from '../../trade/result.js';
import { keyOf, translatedError, withAddresses, withKeys } from '../convert.js';
import { coreDeployment, type Deployment } from '../deployment.js';
import { deriving } from '../derive.js';
import { connectionOf, type TradeRpc } from './connection.js';
import { coreOf } from './wallet.js';

/** What a preview tells of. */
export interface PreviewTerms {
  /** Whose balances. */
  readonly wallet: Address;
  /** Whose tokens; up to 20. The wallet's associated token accounts are looked at. None by default. */
  readonly mints?: readonly Address[] | undefined;
  /** The build whose errors to expect; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
  /** Stops the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** What a transaction would do to a wallet. */
export interface TransactionPreview extends PreviewOutcome {
  /** As of which it was simulated. */
  readonly slot: Slot;
  /** Token units of each mint, in the order asked for; 0 without an account. */
  readonly tokens: readonly (BalanceChange & { readonly mint: Address })[];
}

/**
 * What a transaction would do to a wallet's SOL and tokens, by a simulation. It does what `previewTransaction` of
 * `@curvekit/sdk/trade` does.
 *
 * @throws InvalidArgumentError before any request
 * @throws the error of the RPC node, or the signal's reason
 */
export async function previewTransaction(
  rpc: Rpc<GetMultipleAccountsApi & SimulateTransactionApi>,
  transaction: Transaction,
  { wallet, mints, deployment, signal }: PreviewTerms,
): Promise<TransactionPreview> {
  try {
    const terms: core.PreviewTerms = {
      wallet: keyOf(wallet),
      mints: withKeys(mints) as core.PreviewTerms['mints'],
      deployment: coreDeployment(deployment),
      signal,
    };
    const preview = await deriving(() =>
      core.previewTransaction(connectionOf(rpc as TradeRpc), coreOf(transaction), terms),
    );
    const error = preview.error && (translatedError(preview.error) as TransactionError);
    return { ...(withAddresses(preview) as TransactionPreview), error, slot: BigInt(preview.slot) };
  } catch (error) {
    throw translatedError(error);
  }
}
