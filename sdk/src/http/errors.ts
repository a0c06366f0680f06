import { CurvekitError } from '../errors/index.js';

/** A problem of one field of a request. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The API refused a request. */
export class ApiError<Code extends string = string> extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ApiError';
  constructor(
    /** HTTP status. */
    readonly status: number,
    /** The API's error code. `UNKNOWN` when the answer did not come from the API. */
    override readonly code: Code | 'UNKNOWN',
    message: string,
    /** Every invalid field, for `VALIDATION_ERROR`. */
    readonly fields: readonly FieldProblem[] = [],
    /** Milliseconds after which to retry, when the answer contains it. */
    readonly retryAfterMs: number | undefined = undefined,
    /** Identifies the request for the operator of the service. */
    readonly requestId: string | undefined = undefined,
  ) {
    super(message);
  }
}

/** The service could not be reached, or the answer did not come from it. */
export class ConnectionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ConnectionError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
