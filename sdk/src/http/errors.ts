import { CurvekitError } from '../errors.js';

/** What is wrong with one field of a request. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The API refused a request. */
export class ApiError<Code extends string = string> extends CurvekitError {
  constructor(
    /** HTTP status. */
    readonly status: number,
    /** What the API calls it; `UNKNOWN` when it was not the API that answered. */
    readonly code: Code | 'UNKNOWN',
    message: string,
    /** Every field that is wrong, for `VALIDATION_ERROR`. */
    readonly fields: readonly FieldProblem[] = [],
    /** Milliseconds after which to try again, when the answer says so. */
    readonly retryAfterMs: number | undefined = undefined,
    /** Names the request to the operator of the service. */
    readonly requestId: string | undefined = undefined,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The service could not be reached, or what answered is not it. */
export class ConnectionError extends CurvekitError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}
