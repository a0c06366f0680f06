/** Why a request failed. `fetch failed` of Node says nothing. Its innermost cause does. */
export function reasonOf(error: unknown): string {
  const { cause, errors, message, code } = Object(error) as Partial<AggregateError & { code: unknown }>;
  const [inner = cause] = (errors ?? []) as unknown[];
  if (inner instanceof Error) return reasonOf(inner);
  const text = message === undefined || message === '' ? String(error) : message;
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}

/** Node.js uses the proxy of the environment only when it is told to. Empty without such a variable. */
export function proxyAdvice(): string {
  const { process } = globalThis as {
    process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const name = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((one) => process?.env?.[one]);
  if (name === undefined || process?.env?.['NODE_USE_ENV_PROXY']) return '';
  return `; ${name} is set, and Node.js uses it with NODE_USE_ENV_PROXY=1`;
}

/** `fetch` for web3.js, which keeps of an error its message alone. */
export function fetchWithReason(...args: Parameters<typeof fetch>): Promise<Response> {
  return fetch(...args).catch((error: unknown) => {
    const { message, cause } = Object(error) as Partial<Error>;
    throw cause === undefined ? error : new TypeError(`${message} (${reasonOf(cause)})`, { cause });
  });
}
