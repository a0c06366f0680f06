import { isConnectionError } from '../base/errors.js';

/** A problem with one field of a request. The message names the limit and the fix. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** An error answer. Each API formats it with its own `ErrorShape`. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  /** An expected error, so the log omits the stack. */
  readonly isExpected = true;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status HTTP status
   * @param code machine-readable, such as `TOKEN_NOT_FOUND`
   * @param message for users, without internal details
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    {
      fields = [],
      headers = {},
      cause,
    }: {
      readonly fields?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.fields = fields;
    this.headers = headers;
  }
}

/** `Retry-After` in seconds when a dependency is unavailable. */
const RETRY_AFTER_SECONDS = 5;

export function invalid(fields: readonly FieldProblem[], status = 400): HttpProblem {
  return new HttpProblem(status, 'VALIDATION_ERROR', 'The request is not valid', { fields });
}

/** A dependency is unavailable; the same request may succeed later. */
export function unavailable(message: string, cause?: unknown): HttpProblem {
  return new HttpProblem(503, 'SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

/** Turns any thrown value into an error answer without internal details. */
export function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof URIError) {
    return invalid([{ field: 'path', message: 'is not percent-encoded text; correct it' }]);
  }
  if (isRefusal(error)) {
    return invalid([{ field: 'body', message: 'did not arrive as announced; send it whole' }]);
  }
  if (isConnectionError(error)) return unavailable('The service is not available; try again later', error);
  return new HttpProblem(500, 'INTERNAL_ERROR', 'The service failed; try again later', { cause: error });
}

/** Errors of Express have a 4xx status. */
function isRefusal(error: unknown): boolean {
  const { status } = Object(error) as { readonly status?: unknown };
  return typeof status === 'number' && status >= 400 && status <= 499;
}
