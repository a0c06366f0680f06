/** The database cannot be used. The message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** PostgreSQL's code of an error, such as `42501`, wherever in its causes it is. */
export function codeOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if ('code' in cause) return cause.code;
  return undefined;
}
