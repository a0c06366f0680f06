// Options that trade() and launch() share over Kit: who signs, and how the transaction is sent.
import type { Rpc, SendTransactionApi, Signature, Transaction, TransactionSigner } from '@solana/kit';
import type { OptionNames } from '../../checks/options.js';
import type { Composed } from './composition.js';
import type { SendingRoute as CoreRoute, SendingRules, SendingSteps } from '../../trade/options.js';
import { coreDeployment, type Deployment } from '../accounts/deployment.js';
import { connectionOf } from './connection.js';
import { kitTransaction } from './wallet.js';

/** How a transaction is paid, sent and tracked. Errors that a callback throws are ignored. */
export interface SendingOptions extends SendingRules, SendingSteps<Signature> {
  /** What else the transaction does, by `compose`. */
  readonly composition?: Composed | undefined;
  /**
   * Pays and signs. If the signer can only sign and send, the SDK tracks its transaction. If it can also only sign, it
   * signs and the SDK sends.
   */
  readonly wallet: TransactionSigner;
  /** The build to address. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
  /** Additional RPC clients that the transaction is sent to. */
  readonly sendRpcs?: readonly Rpc<SendTransactionApi>[] | undefined;
  /** Sends instead of the RPC nodes, for example as a bundle. Called again every 2 s until the transaction is found. */
  readonly sender?: ((transaction: Transaction) => Promise<unknown>) | undefined;
}

/** Of `SendingOptions`, besides the rules and the steps. */
export const SENDING_OPTIONS = {
  wallet: true,
  deployment: true,
  sendRpcs: true,
  sender: true,
  composition: true,
} as const satisfies OptionNames<Omit<SendingOptions, keyof (SendingRules & SendingSteps)>>;

export function coreRoute({
  deployment,
  sendRpcs,
  sender,
  ...rules
}: Omit<SendingOptions, 'wallet'>): CoreRoute {
  return {
    ...(rules as SendingRules & SendingSteps),
    deployment: coreDeployment(deployment),
    sendConnections: sendRpcs?.map(connectionOf),
    sender: sender && ((transaction) => sender(kitTransaction(transaction))),
  };
}
