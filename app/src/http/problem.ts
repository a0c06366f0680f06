/** What is wrong with one field of a request. The message names the limit and the fix. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A request that is refused. Each API says it in its own shape: see `ErrorShape`. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status HTTP status
   * @param code machine-readable, such as `TOKEN_NOT_FOUND`
   * @param message for people; never anything internal
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

/** Seconds after which a client may try again when a part of the service is away. */
const RETRY_AFTER_SECONDS = 5;

/** A request with bad fields. */
export function invalid(fields: readonly FieldProblem[], status = 400): HttpProblem {
  return new HttpProblem(status, 'VALIDATION_ERROR', 'The request is not valid', { fields });
}

/** A part that the service needs is away: the same request may succeed later. */
export function unavailable(message: string, cause?: unknown): HttpProblem {
  return new HttpProblem(503, 'SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

/** The problem that anything thrown is, without a word of its inside. */
export function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const { status, type } = requestError(error);
  if (type === 'entity.too.large') {
    return invalid([{ field: 'body', message: 'has more than 16384 bytes; send a smaller one' }], 413);
  }
  if (status === 415) {
    return invalid([{ field: 'Content-Encoding', message: 'is not supported; send the body as it is' }], 415);
  }
  if (error instanceof URIError) {
    return invalid([{ field: 'path', message: 'is not percent-encoded text; correct it' }]);
  }
  if (status !== undefined) {
    return invalid([{ field: 'body', message: 'did not arrive as announced; send it whole' }]);
  }
  if (isConnectionError(error)) return unavailable('The service is not available; try again later', error);
  return new HttpProblem(500, 'INTERNAL_ERROR', 'The service failed; try again later', { cause: error });
}

/** Errors of Express and its body reader carry a 4xx status. */
function requestError(error: unknown): { readonly status?: number; readonly type?: unknown } {
  if (typeof error !== 'object' || error === null || !('status' in error)) return {};
  const { status } = error;
  if (typeof status !== 'number' || status < 400 || status > 499) return {};
  return { status, type: 'type' in error ? error.type : undefined };
}

const NETWORK_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+)$/;
/** PostgreSQL: connection exceptions, out of resources, shutting down; its time limits, and locks that are not to be had. */
const DATABASE_CODES = /^(08\w{3}|53\w{3}|57P0\d|57014|55P03|25P03|40P01)$/;
/** What the database drivers say without a code. */
const CONNECTION_MESSAGES =
  /^(connection terminated|timeout exceeded when trying to connect|pglite is clos|client (has encountered a connection error|was closed) and is not queryable|cannot use a pool after calling end)/i;

/** Whether the database or the network is to blame; drivers wrap what they got, one in another or several in one. */
export function isConnectionError(error: unknown): boolean {
  const toLook = [error];
  const seen = new Set<unknown>();
  while (toLook.length > 0) {
    const current = toLook.pop();
    if (!(current instanceof Error) || seen.has(current)) continue;
    seen.add(current);
    const code = 'code' in current ? String(current.code) : '';
    if (NETWORK_CODES.test(code) || DATABASE_CODES.test(code) || CONNECTION_MESSAGES.test(current.message)) {
      return true;
    }
    toLook.push(current.cause);
    if (current instanceof AggregateError) toLook.push(...(current.errors as readonly unknown[]));
  }
  return false;
}
