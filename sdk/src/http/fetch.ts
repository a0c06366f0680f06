// One request to the service. Its failure names the URL and the reason.
import { proxyAdvice, reasonOf } from '../platform/reason.js';
import { ConnectionError } from './errors.js';

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Like `fetch`, without following redirects: a request can have signatures and keys in it.
 *
 * @throws ConnectionError when there is no answer, or a redirect
 */
export async function fetchAnswer(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  // `redirect: 'error'` is an invalid value in Cloudflare Workers.
  const response = await fetch(url, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
    throw unreachable(url, cause);
  });
  // Browsers hide the status and the target.
  if (response.type !== 'opaqueredirect' && !REDIRECTS.includes(response.status)) return response;
  const to = response.headers.get('location');
  throw new ConnectionError(
    `the service at ${withoutQuery(url)} redirects${to === null ? '' : ` to ${withoutQuery(to)}`}: use the URL that it redirects to`,
  );
}

export function unreachable(url: string, cause: unknown, reason = reasonOf(cause)): ConnectionError {
  const problem = `the service cannot be reached at ${withoutQuery(url)}: ${reason}${proxyAdvice()}`;
  return new ConnectionError(problem, { cause });
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/, '');
