/** Why a call failed: `fetch failed` of Node has it in its cause, the failure of a host's several addresses in its errors. */
export function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;
  if (inner instanceof Error) return innermost(inner);
  return error.message;
}
