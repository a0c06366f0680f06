// Requests to the service on this origin.
import { ApiError, ConnectionError, MarketClient } from '@curvekit/sdk/market';

/** Bypasses shared caches, which can be some seconds old. A new page needs the current state: its stream continues there. */
const fresh: typeof fetch = (url, init) => fetch(url, { ...init, cache: 'no-cache' });

export const market = new MarketClient({ baseUrl: location.origin, retries: 1, fetch: fresh });

/** The service refused a request, or did not answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  constructor(
    /** 0: there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterMs?: number | undefined,
  ) {
    super(message);
  }

  static of(error: unknown): RequestError {
    if (error instanceof RequestError) return error;
    if (error instanceof ApiError)
      return new RequestError(error.status, String(error.code), error.message, error.retryAfterMs);
    if (error instanceof ConnectionError) return new RequestError(0, 'UNREACHABLE', error.message);
    return new RequestError(0, 'UNKNOWN', error instanceof Error ? error.message : String(error));
  }
}

/** A request that the SDK's client does not support. @throws RequestError */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new RequestError(0, 'UNREACHABLE', 'the service does not answer');
  }
  if (response.ok) return response;
  const { code = 'UNKNOWN', message = `HTTP ${response.status}` } = await problemOf(response);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  throw new RequestError(response.status, code, message, retryAfterMs);
}

interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

async function problemOf(response: Response): Promise<Refusal> {
  try {
    const body = (await response.json()) as Refusal;
    const fields = (body.errors ?? []).map(({ field, message }) => `${field} ${message}`);
    const message = [body.message, ...fields].filter((part) => part !== undefined).join('; ');
    return { ...body, message };
  } catch {
    // For example an HTML answer from a proxy in front of the service.
    return {};
  }
}
