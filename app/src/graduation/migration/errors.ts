import { ExplainedError } from '../../base/errors.js';

/** A migration is impossible. The message says why and what to do. */
export class MigrationError extends ExplainedError {
  override readonly name = 'MigrationError';
}
