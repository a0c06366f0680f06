// What trade() and launch() share over Kit: who signs, and which way it is sent.
import type { Rpc, SendTransactionApi, Signature, Transaction, TransactionSigner } from '@solana/kit';
import type { SendingRoute as CoreRoute } from '../../trade/options.js';
import type { SendingRules, SendingSteps } from '../../trade/rules.js';
import { coreDeployment, type Deployment } from '../deployment.js';
import { connectionOf } from './connection.js';
import { kitTransaction } from './wallet.js';

/** How a transaction is paid for, sent and followed. What a callback throws is ignored. */
export interface SendingOptions extends SendingRules, SendingSteps<Signature> {
  /** Pays and signs. One that signs and sends by itself is followed; one that can do both signs, and the SDK sends. */
  readonly wallet: TransactionSigner;
  /** The build to address; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
  /** RPC clients that the transaction is sent to as well. */
  readonly sendRpcs?: readonly Rpc<SendTransactionApi>[] | undefined;
  /** Sends in place of the RPC nodes, for example as a bundle. Called again every 2 s until the transaction is found. */
  readonly sender?: ((transaction: Transaction) => Promise<unknown>) | undefined;
}

/** The same for the core. */
export function coreRoute({ deployment, sendRpcs, sender, ...rules }: SendingOptions): CoreRoute {
  return {
    ...(rules as SendingRules & SendingSteps),
    deployment: coreDeployment(deployment),
    sendConnections: sendRpcs?.map(connectionOf),
    sender: sender && ((transaction) => sender(kitTransaction(transaction))),
  };
}
