// Options that trade() and launch() share over Kit: who signs, and how the transaction is sent.
import type {
  Address,
  AddressesByLookupTableAddress,
  Instruction,
  Rpc,
  SendTransactionApi,
  Signature,
  Transaction,
  TransactionSigner,
} from '@solana/kit';
import type { OptionNames } from '../../checks/options.js';
import { COMPOSITION, type SendingRoute as CoreRoute } from '../../trade/options.js';
import type { Composition as CoreComposition, SendingRules, SendingSteps } from '../../trade/options.js';
import { coreDeployment, type Deployment } from '../accounts/deployment.js';
import { requireObject } from '../../checks/options.js';
import { coreInstruction, keyOf, withKeys } from '../convert.js';
import { connectionOf } from './connection.js';
import { kitTransaction } from './wallet.js';

/** What else the transaction does, and how its message is written. */
export type Composition = CoreComposition<Instruction, Address, AddressesByLookupTableAddress>;

/** How a transaction is paid, sent and tracked. Errors that a callback throws are ignored. */
export interface SendingOptions extends SendingRules, SendingSteps<Signature>, Composition {
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
  ...COMPOSITION,
} as const satisfies OptionNames<Omit<SendingOptions, keyof (SendingRules & SendingSteps)>>;

/** Converts the options for the core. */
export function coreRoute({
  deployment,
  sendRpcs,
  sender,
  ...rules
}: Omit<SendingOptions, 'wallet'>): CoreRoute {
  return {
    ...(rules as SendingRules & SendingSteps),
    ...coreComposition(rules),
    deployment: coreDeployment(deployment),
    sendConnections: sendRpcs?.map(connectionOf),
    sender: sender && ((transaction) => sender(kitTransaction(transaction))),
  };
}

function coreComposition({ before, after, tip, nonce, lookupTables }: Composition): CoreComposition {
  return {
    before: instructionsOf(before),
    after: instructionsOf(after),
    tip: withKeys(tip) as CoreComposition['tip'],
    nonce: withKeys(nonce) as CoreComposition['nonce'],
    lookupTables: lookupTables && coreTables(lookupTables),
  };
}

function instructionsOf(given: Composition['before']): CoreComposition['before'] {
  return Array.isArray(given) ? given.map(coreInstruction) : (given as undefined);
}

/** The tables as the core has them. */
export function coreTables(tables: AddressesByLookupTableAddress): CoreComposition['lookupTables'] {
  requireObject('lookupTables', tables);
  return Object.entries(tables).map(
    ([key, addresses]) => ({ key: keyOf(key), state: { addresses: withKeys(addresses) } }) as never,
  );
}
