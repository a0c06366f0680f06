/** An RPC node answered with an error, or not at all. */
export class NodeError extends Error {
  override readonly name = 'NodeError';

  constructor(
    message: string,
    /** Of the HTTP answer, when there was one. */
    readonly httpStatus?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
