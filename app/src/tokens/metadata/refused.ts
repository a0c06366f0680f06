export interface RefusedOptions extends ErrorOptions {
  /** Whether the same request may succeed soon. Default: no. */
  readonly temporary?: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** The reason why nothing was fetched, or why what was fetched could not be read. */
export class FetchRefusedError extends Error {
  override readonly name = 'FetchRefusedError';
  readonly temporary: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { temporary = false, retryAfterMs, ...options }: RefusedOptions = {}) {
    super(message, options);
    this.temporary = temporary;
    this.retryAfterMs = retryAfterMs;
  }
}
