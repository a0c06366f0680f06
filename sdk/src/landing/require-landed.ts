// The error of a transaction that has not landed, or has failed.
import type { Connection } from '../chain/types.js';
import { OutcomeUnknownError, TransactionExpiredError } from '../errors/index.js';
import { fetchTransaction } from '../records/fetch.js';
import { rememberLanded } from '../rpc/landed-slots.js';
import { confirmedError, transactionError, type FailureContext } from '../transactions/errors.js';
import type { LandedOutcome, LandingOutcome, SignedTransaction } from './landing.js';

const FAILURE_TIMEOUT_MS = 10_000;

/**
 * Returns an outcome that landed and succeeded, and remembers its slot: later reads include it.
 *
 * @throws TransactionError when it failed on chain; TransactionExpiredError; OutcomeUnknownError
 */
export async function requireLanded(
  connection: Connection,
  outcome: LandingOutcome,
  { signature, lastValidBlockHeight }: SignedTransaction,
  context: FailureContext,
): Promise<LandedOutcome> {
  if (outcome.kind === 'expired')
    throw new TransactionExpiredError(signature, lastValidBlockHeight, outcome.cause);
  if (outcome.kind === 'unknown') throw new OutcomeUnknownError(signature, outcome.reason, outcome.cause);
  if (outcome.err !== null) throw await failure(connection, outcome.err, { ...context, signature });
  rememberLanded(connection, outcome.slot);
  return outcome;
}

/** The log shows which program failed. Without a log, the error names the instruction's program. */
async function failure(connection: Connection, err: unknown, context: FailureContext): Promise<Error> {
  const limit = { timeoutMs: FAILURE_TIMEOUT_MS };
  const response = await fetchTransaction(connection, context.signature ?? '', 'confirmed', limit).catch(
    () => null,
  );
  const error = response === null ? null : confirmedError(response, context);
  return error ?? transactionError(err, context);
}
