/** More about a failed request. */
export interface NodeErrorOptions extends ErrorOptions {
  /** Of the JSON-RPC error, when there was one. */
  readonly code?: number;
}

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
}
