/** A migration that cannot be done; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
