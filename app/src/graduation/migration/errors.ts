/** A migration is impossible. The message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
