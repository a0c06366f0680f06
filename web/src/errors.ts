// User messages for failed quotes and requests. SDK errors are recognized by their fields, so that the board does not
// have to load the SDK.
import { RequestError } from './market/api.js';
import { words } from './words/words.js';

export type ProblemKind = 'slippage' | 'no-sol' | 'moved' | 'declined' | 'unknown-outcome' | 'other';

export interface Problem {
  readonly kind: ProblemKind;
  readonly text: string;
}

export const NOTHING_SPENT = 'Nothing was spent.';

const PROGRAM: Readonly<Record<number, { readonly kind: ProblemKind; readonly text: string }>> = {
  6000: { kind: 'other', text: 'This page mixed up two tokens. Reload it.' },
  6001: { kind: 'moved', text: 'Sold out: the token has graduated.' },
  6002: { kind: 'other', text: 'The token has not graduated yet.' },
  6003: { kind: 'slippage', text: 'The price moved past your limit.' },
  6004: { kind: 'other', text: 'This is not this launchpad’s fee address. Reload the page.' },
  6005: { kind: 'other', text: 'The amount is too small, or more than there is.' },
};

/** The problem that the service or the program reports. Undefined for any other error. */
export function answerIn(error: unknown): Problem | undefined {
  const { name, code, programId } = (error ?? {}) as Record<string, unknown>;
  if (error instanceof RequestError || name === 'ApiError' || name === 'ConnectionError')
    return other(words.requestProblem(RequestError.of(error)));
  const known = typeof code === 'number' && typeof programId !== 'string' ? PROGRAM[code] : undefined;
  return known && { kind: known.kind, text: `${known.text} ${NOTHING_SPENT}` };
}

export const problemOf = (error: unknown): Problem =>
  answerIn(error) ?? other(sentence(error instanceof Error ? error.message : String(error)));

export const explain = (error: unknown) => problemOf(error).text;

export function other(text: string): Problem {
  return { kind: 'other', text };
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}
