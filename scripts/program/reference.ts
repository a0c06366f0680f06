/** Tells a binary with the reference handlers from one without. */

/**
 * Source files that only the reference build compiles, all by one feature. Anchor's errors mention where they were raised,
 * so that these names outlive any optimisation that keeps the handlers. (`buy_token.rs` raises none itself.)
 */
const TRACES = ['sell_token', 'migrate', 'validate_log_record'].map((name) => `instructions/${name}.rs`);

/** The traces of reference handlers in a program. */
export function referenceTracesIn(program: Buffer): readonly string[] {
  return TRACES.filter((trace) => program.includes(trace));
}

/** @throws Error unless `program` has every trace: so they are what the search above would find */
export function requireReferenceTraces(program: Buffer): void {
  const found = referenceTracesIn(program);
  const missing = TRACES.filter((trace) => !found.includes(trace));
  if (missing.length > 0) throw new Error(`the reference build has no trace of ${missing.join(', ')}`);
}
