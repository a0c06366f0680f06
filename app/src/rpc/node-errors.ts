/** Details of a failed request. */
export interface NodeErrorOptions extends ErrorOptions {
  /** Code of the JSON-RPC error, if there was one. */
  readonly code?: number;
}

/** The RPC node does not know the transaction where a list begins or ends: it is pruned, or was dropped by a reorg. */
export const UNKNOWN_PLACE = -32020;
/** The RPC node cannot return a transaction of this version. */
export const UNSUPPORTED_VERSION = -32015;
export const METHOD_MISSING = -32601;
/**
 * Permanent errors, for which a retry is useless: invalid request, no such method, invalid parameters, no transaction
 * history.
 */
const LASTING = new Set([-32600, METHOD_MISSING, -32602, -32011, UNKNOWN_PLACE, UNSUPPORTED_VERSION]);

/** An RPC node answered with an error, or not at all. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: number | undefined;

  constructor(
    message: string,
    /** Status of the HTTP answer, if there was one. */
    readonly httpStatus?: number,
    options: NodeErrorOptions = {},
  ) {
    super(message, options);
    this.code = options.code;
  }

  /** Whether a retry would get the same error. */
  get isLasting(): boolean {
    return this.code !== undefined && LASTING.has(this.code);
  }
}
