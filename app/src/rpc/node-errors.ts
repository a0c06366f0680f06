/** More about a failed request. */
export interface NodeErrorOptions extends ErrorOptions {
  /** Of the JSON-RPC error, when there was one. */
  readonly code?: number;
}

/** The node does not know the transaction where a list begins or ends: it is pruned, or on a lost fork. */
export const UNKNOWN_PLACE = -32020;
/** The node cannot write a transaction of this version. */
export const UNSUPPORTED_VERSION = -32015;
export const METHOD_MISSING = -32601;
/** Errors that a retry would meet again: invalid request, no such method, invalid parameters, no transaction history. */
const LASTING = new Set([-32600, METHOD_MISSING, -32602, -32011, UNKNOWN_PLACE, UNSUPPORTED_VERSION]);

/** An RPC node answered with an error, or not at all. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: number | undefined;

  constructor(
    message: string,
    /** Of the HTTP answer, when there was one. */
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
