/** The database cannot be used; the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}
