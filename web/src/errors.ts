// User messages for failed requests and transactions. SDK errors are recognized by their fields, so that the page does not
// have to load the SDK.
import { RequestError } from './market/api.js';
import { programProblems } from './words/program-problems.js';
import { words } from './words/words.js';

export type ProblemKind = 'slippage' | 'no-sol' | 'moved' | 'declined' | 'unknown-outcome' | 'other';

export interface Problem {
  readonly kind: ProblemKind;
  readonly text: string;
}

export const NOTHING_SPENT = 'Nothing was spent.';

const KINDS: Readonly<Record<number, ProblemKind>> = { 6001: 'moved', 6003: 'slippage' };

/** The problem that the service or the program reports. Undefined for any other error. */
export function answerIn(error: unknown): Problem | undefined {
  const { name, code, programId } = (error ?? {}) as Record<string, unknown>;
  if (error instanceof RequestError || name === 'ApiError' || name === 'ConnectionError')
    return other(words.requestProblem(RequestError.of(error)));
  if (typeof code !== 'number' || typeof programId === 'string') return undefined;
  const text = programProblems[code];
  return text === undefined ? undefined : { kind: KINDS[code] ?? 'other', text: `${text} ${NOTHING_SPENT}` };
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
