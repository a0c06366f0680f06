// What people read when something fails. Errors of the SDK are known by their fields, so that the board does not load it.
import { RequestError } from './market/api.js';
import { words } from './words/words.js';

interface Known {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly programId?: unknown;
  readonly venue?: unknown;
}

export type ProblemKind = 'slippage' | 'no-sol' | 'moved' | 'declined' | 'unknown-outcome' | 'other';

export interface Problem {
  readonly kind: ProblemKind;
  readonly text: string;
}

const NOTHING_SPENT = 'Nothing was spent.';

const PROGRAM: Readonly<Record<number, { readonly kind: ProblemKind; readonly text: string }>> = {
  6000: { kind: 'other', text: 'This page mixed up two tokens. Reload it.' },
  6001: { kind: 'moved', text: 'Sold out: the token has graduated.' },
  6002: { kind: 'other', text: 'The token has not graduated yet.' },
  6003: { kind: 'slippage', text: 'The price moved past your limit.' },
  6004: { kind: 'other', text: 'This is not this launchpad’s fee address. Reload the page.' },
  6005: { kind: 'other', text: 'The amount is too small, or more than there is.' },
};

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const NO_SOL: Problem = { kind: 'no-sol', text: `Not enough SOL for this and its fees. ${NOTHING_SPENT}` };
/** Of Raydium's CPMM: ExceededSlippage. */
const POOL_SLIPPAGE = 6005;

export function problemOf(error: unknown): Problem {
  const { name, message, code, reason, programId } = (error ?? {}) as Known;
  const text = typeof message === 'string' ? message : String(error);
  const why = `${text} ${String(reason)}`;
  if (error instanceof RequestError || name === 'ApiError' || name === 'ConnectionError')
    return other(words.requestProblem(RequestError.of(error)));
  if (typeof code === 'number' && typeof programId !== 'string' && PROGRAM[code] !== undefined) {
    const known = PROGRAM[code];
    return { kind: known.kind, text: `${known.text} ${NOTHING_SPENT}` };
  }
  if (programId === SYSTEM_PROGRAM && code === 1) return NO_SOL;
  if (programId !== undefined && (code === POOL_SLIPPAGE || /ExceededSlippage/i.test(why)))
    return { kind: 'slippage', text: `The price moved past your limit. ${NOTHING_SPENT}` };
  if (
    /insufficient (lamports|funds)|no record of a prior credit|AccountNotFound|InsufficientFunds/i.test(why)
  )
    return NO_SOL;
  if (/reject|denied|declin|cancell?ed/i.test(text) || code === 4_001)
    return { kind: 'declined', text: `You declined in the wallet. ${NOTHING_SPENT}` };
  if (name === 'TransactionExpiredError')
    return other(
      `The network did not take the transaction in time, and never will. ${NOTHING_SPENT} Try again.`,
    );
  if (name === 'OutcomeUnknownError')
    return {
      kind: 'unknown-outcome',
      text: 'The network does not say what became of the transaction. Sign no other one: this page looks it up.',
    };
  if (name === 'ChangedTransactionError') return other(`${text} ${NOTHING_SPENT}`);
  if (/Failed to fetch|NetworkError|fetch failed|5\d\d|429/i.test(text))
    return other(`The Solana network cannot be reached. ${NOTHING_SPENT} Try again soon.`);
  return other(sentence(text));
}

export const explain = (error: unknown) => problemOf(error).text;

function other(text: string): Problem {
  return { kind: 'other', text };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}
