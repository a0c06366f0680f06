// Files that a creator has written into the URL itself: `data:image/png;base64,…`.
interface RefusedOptions extends ErrorOptions {
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

export const isDataUrl = (text: string) => /^\s*data:/i.test(text);

/** @throws FetchRefusedError when it cannot be read, or holds more than `maxBytes` */
export function readDataUrl(text: string, maxBytes: number) {
  const [, head = '', content] = /^\s*data:([^,]*),(.*)$/is.exec(text) ?? [];
  if (content === undefined) throw new FetchRefusedError('the data: URL has no comma before its content');
  const [, charset] = /charset="?([\w-]+)/i.exec(head) ?? [];
  const raw = percentDecoded(content);
  const bytes = /;\s*base64\s*$/i.test(head) ? Buffer.from(raw.toString('latin1'), 'base64') : raw;
  if (bytes.length > maxBytes) throw new FetchRefusedError(`the data: URL is longer than ${maxBytes} bytes`);
  return { bytes, charset };
}

/** A percent sign without two digits stays as it is, and so does text that should have been encoded. */
function percentDecoded(text: string): Buffer {
  const parts = text.split(/((?:%[0-9a-f]{2})+)/i);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 1 ? Buffer.from(part.replaceAll('%', ''), 'hex') : Buffer.from(part, 'utf8'),
    ),
  );
}
