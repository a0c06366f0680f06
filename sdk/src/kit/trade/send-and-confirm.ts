// The landing tracker over Kit, for transactions that the caller has built and signed.
import {
  isTransactionWithBlockhashLifetime,
  isTransactionWithDurableNonceLifetime,
  type Signature,
  type Slot,
  type Transaction,
  type TransactionWithLifetime,
} from '@solana/kit';
import type { Connection } from '../../chain/types.js';
import { requireKnown, type OptionNames } from '../../checks/options.js';
import { InvalidArgumentError } from '../../errors/index.js';
import type { LandingCommitment } from '../../landing/landing.js';
import * as core from '../../landing/send-and-confirm.js';
import { readerOf } from '../../rpc/reading.js';
import type { TransactionMemory } from '../../trade/options.js';
import type { RememberedOutcome } from '../../trade/result.js';
import { lookUpRemembered as lookUp } from '../../trade/unfinished.js';
import { type DurableNonce, NO_LAST_HEIGHT, nonceIn } from '../../transactions/nonce.js';
import { coreDeployment, type Deployment } from '../accounts/deployment.js';
import { keyOf, promised } from '../convert.js';
import { connectionOf, type SendingRpc } from './connection.js';
import { coreOf } from './wallet.js';

/** Options for waiting for a transaction. */
export interface ConfirmOptions {
  /** Default `confirmed`. */
  readonly commitment?: LandingCommitment | undefined;
  /** The build whose errors are decoded. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
  /** Skips the RPC node's own simulation. */
  readonly skipPreflight?: boolean | undefined;
  /** How long to continue with a node that does not answer or reports nothing new. Default 120,000 ms. */
  readonly stallTimeoutMs?: number | undefined;
  /** Aborts the waiting. A sent transaction may still land. */
  readonly signal?: AbortSignal | undefined;
}

const CONFIRM_OPTIONS = {
  commitment: true,
  deployment: true,
  skipPreflight: true,
  stallTimeoutMs: true,
  signal: true,
} as const satisfies OptionNames<ConfirmOptions>;

/**
 * Sends a signed transaction repeatedly until it has reached the commitment, has expired, or the node does not know its
 * outcome. Works like `sendAndConfirm` of the main entry, over HTTP only.
 *
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when it fails
 * @throws TransactionExpiredError when its blockhash expired, or its nonce has advanced: it can never land
 * @throws OutcomeUnknownError when the node does not know the outcome: it may have landed, or may still land
 * @throws InvalidArgumentError for a transaction that is not signed, or has neither a blockhash nor a nonce
 * @throws the signal's reason
 */
export function sendAndConfirm(
  rpc: SendingRpc,
  transaction: Transaction & TransactionWithLifetime,
  given: ConfirmOptions = {},
): Promise<{ signature: Signature; slot: Slot }> {
  return promised(async () => {
    requireKnown('options', given, CONFIRM_OPTIONS);
    const { deployment, ...options } = given;
    const connection = connectionOf(rpc);
    const lifetime = await lifetimeOf(connection, transaction);
    const prepared = { transaction: coreOf(transaction), ...lifetime };
    const how = { ...options, deployment: coreDeployment(deployment) };
    const { signature, slot } = await core.sendAndConfirm(connection, prepared, how);
    return { signature: signature as Signature, slot: BigInt(slot) };
  });
}

async function lifetimeOf(connection: Connection, transaction: Transaction & TransactionWithLifetime) {
  if (Object(transaction) === transaction && isTransactionWithBlockhashLifetime(transaction))
    return { lastValidBlockHeight: Number(transaction.lifetimeConstraint.lastValidBlockHeight) };
  if (Object(transaction) !== transaction || !isTransactionWithDurableNonceLifetime(transaction))
    throw new InvalidArgumentError(
      'transaction',
      'has no blockhash and no nonce; make its message with setTransactionMessageLifetimeUsingBlockhash',
    );
  const { nonce: value, nonceAccountAddress: account } = transaction.lifetimeConstraint;
  const nonce: DurableNonce = { account, value, slot: await slotOfNonce(connection, account, value) };
  return { lastValidBlockHeight: NO_LAST_HEIGHT, nonce };
}

/** A slot with the nonce. When it has advanced already, the slot from which nothing can be proven: then it is looked up. */
async function slotOfNonce(connection: Connection, account: string, value: string): Promise<number> {
  const { context, value: held } = await readerOf(connection, {}).getAccountInfoAndContext(
    keyOf(account),
    'confirmed',
  );
  return nonceIn(held)?.value === value ? context.slot : NO_LAST_HEIGHT;
}

/**
 * Looks up the remembered transaction once, and forgets it when its outcome is known.
 *
 * @throws the error of the RPC node
 */
export function lookUpRemembered(rpc: SendingRpc, memory: TransactionMemory): Promise<RememberedOutcome> {
  return promised(() => lookUp(connectionOf(rpc), memory));
}
