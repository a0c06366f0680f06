/** A graduation or a sweep that cannot be done; the message says why and what to do. */
export class GraduationFailedError extends Error {
  override readonly name = 'GraduationFailedError';
}
