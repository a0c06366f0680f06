// Refusals before the signing that may pass by themselves: the node is behind, the rent has changed, or another
// transaction of the wallet has landed between two reads.
import { ProgramError, TransactionError } from '../errors/index.js';
import { Backoff } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';
import { isSlippageError } from '../transactions/errors.js';
import {
  ExcessiveLossError,
  InsufficientSolError,
  InsufficientTokensError,
  NoTokenAccountError,
} from './errors.js';

const MOST_REPEATS = 3;
const PAUSES = { firstMs: 200, longestMs: 800 };
const OF_STATE = [ExcessiveLossError, InsufficientSolError, InsufficientTokensError, NoTokenAccountError];

/**
 * Prepares a transaction, and again with fresh reads before a refusal is believed: up to three times, within 1.4 s.
 *
 * @param prepare signs and sends nothing; `isAgain`: what is remembered must be read anew
 */
export async function askAgain<T>(
  prepare: (isAgain: boolean) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const pauses = new Backoff(PAUSES);
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await prepare(repeats > 0);
    } catch (error) {
      if (repeats === MOST_REPEATS || !mayPass(error)) throw error;
      await sleep(pauses.next(), signal);
    }
  }
}

/** A program's own refusal is quoted again by the caller, or is final. */
function mayPass(error: unknown): boolean {
  if (OF_STATE.some((kind) => error instanceof kind)) return true;
  return error instanceof TransactionError && !(error instanceof ProgramError) && !isSlippageError(error);
}
