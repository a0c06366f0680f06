// Requests to the Market API of this origin.
import type {
  Candle,
  Holder,
  MarketConfig,
  Page,
  Sort,
  TokenDetail,
  TokenSummary,
  Trade,
  WalletTokens,
} from './types.js';

const BASE = '/v1/market';

/** The service refused a request, or did not answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  constructor(
    /** 0: there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
  }
}

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new RequestError(0, 'UNREACHABLE', 'the service does not answer', undefined);
  }
  if (response.ok) return response;
  const { code = 'UNKNOWN', message = `HTTP ${response.status}` } = await problemOf(response);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  throw new RequestError(
    response.status,
    code,
    message,
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  );
}

async function problemOf(response: Response): Promise<{ code?: string; message?: string }> {
  try {
    const body = (await response.json()) as { code?: string; message?: string; errors?: FieldProblem[] };
    const fields = (body.errors ?? []).map(({ field, message }) => `${field} ${message}`);
    const message = [body.message, ...fields].filter((part) => part !== undefined).join('; ');
    return { ...(body.code === undefined ? {} : { code: body.code }), message };
  } catch {
    // A proxy before the service answers in HTML.
    return {};
  }
}

interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

type Query = Readonly<Record<string, string | number | undefined>>;

async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  const url = `${BASE}${path}${text === '' ? '' : `?${text}`}`;
  const response = await request(url, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

export interface TokenQuery {
  readonly sort?: Sort | undefined;
  readonly status?: string | undefined;
  readonly creator?: string | undefined;
  readonly q?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface TradeQuery {
  readonly trader?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export const market = {
  config: (signal?: AbortSignal) => get<MarketConfig>('/config', {}, signal),
  tokens: (query: TokenQuery, signal?: AbortSignal) =>
    get<Page<TokenSummary>>('/tokens', { ...query }, signal),
  token: (mint: string, signal?: AbortSignal) => get<TokenDetail>(`/tokens/${mint}`, {}, signal),
  trades: (mint: string, query: TradeQuery, signal?: AbortSignal) =>
    get<Page<Trade>>(`/tokens/${mint}/trades`, { ...query }, signal),
  candles: (mint: string, interval: number, signal?: AbortSignal) =>
    get<{ readonly candles: readonly Candle[] }>(`/tokens/${mint}/candles`, { interval, limit: 500 }, signal),
  holders: (mint: string, signal?: AbortSignal) =>
    get<{ readonly items: readonly Holder[]; readonly total: number }>(
      `/tokens/${mint}/holders`,
      { limit: 50 },
      signal,
    ),
  wallet: (address: string, signal?: AbortSignal) => get<WalletTokens>(`/wallets/${address}`, {}, signal),
  walletTrades: (address: string, query: TradeQuery, signal?: AbortSignal) =>
    get<Page<Trade>>(`/wallets/${address}/trades`, { ...query }, signal),
};

/** Test SOL for a wallet of a local cluster. */
export async function askFaucet(address: string): Promise<void> {
  await request(`${BASE}/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
}
