import { ExplainedError } from '../base/errors.js';

/** A graduation or a sweep is impossible. The message says why and what to do. */
export class GraduationFailedError extends ExplainedError {
  override readonly name = 'GraduationFailedError';
}
