/** A graduation or a sweep is impossible. The message says why and what to do. */
export class GraduationFailedError extends Error {
  override readonly name = 'GraduationFailedError';
}
