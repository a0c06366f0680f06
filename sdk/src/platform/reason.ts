/** Why a request failed. `fetch failed` of Node says nothing. Its innermost cause does. */
export function reasonOf(error: unknown): string {
  const { cause, errors, message, code } = Object(error) as Partial<AggregateError & { code: unknown }>;
  const [inner = cause] = (errors ?? []) as unknown[];
  if (inner instanceof Error) return reasonOf(inner);
  const text = message === undefined || message === '' ? String(error) : message;
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}

/** `fetch` for web3.js, which keeps of an error its message alone. */
export function fetchWithReason(...args: Parameters<typeof fetch>): Promise<Response> {
  return fetch(...args).catch((error: unknown) => {
    const { message, cause } = Object(error) as Partial<Error>;
    throw cause === undefined ? error : new TypeError(`${message} (${reasonOf(cause)})`, { cause });
  });
}
