/** Tells a binary with the reference handlers from one without. */

/**
 * What Anchor's code of each handler leaves in a binary: the names of accounts that no other instruction has, and of the
 * source files, which its errors mention. They outlive any optimisation that keeps the handler.
 */
const TRACES = {
  'buyToken and sellToken': 'user_token_account',
  sellToken: 'instructions/sell_token.rs',
  migrate: 'fee_token_account',
  validateLogRecord: 'instructions/validate_log_record.rs',
} as const;

/** The reference handlers of which a program has traces. */
export function referenceHandlersIn(program: Buffer): readonly string[] {
  return Object.entries(TRACES).flatMap(([handler, trace]) => (program.includes(trace) ? [handler] : []));
}

/** @throws Error unless `program` has a trace of each reference handler: so they are what the search above would find */
export function requireReferenceHandlers(program: Buffer): void {
  const found = referenceHandlersIn(program);
  const missing = Object.keys(TRACES).filter((handler) => !found.includes(handler));
  if (missing.length > 0) throw new Error(`the reference build has no trace of ${missing.join(', ')}`);
}
