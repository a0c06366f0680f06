// Requests of the Market API. Amounts are decimal text of lamports and token units: `BigInt` makes them exact.
import {
  readCandles,
  readHolders,
  readMarketConfig,
  readTokenDetail,
  readTokenPage,
  readTradePage,
  readWallet,
  type Candles,
  type Holders,
  type MarketConfig,
  type TokenDetail,
  type TokenPage,
  type TokenSummary,
  type TradePage,
  type Wallet,
} from '../../generated/api/market.js';
import type { Reader } from '../readers.js';
import { readEnvelopeError } from '../envelope-error.js';
import { Transport, type TransportOptions } from '../transport.js';

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asks the service itself, whatever the browser or the service has kept: after a fork took trades back, for example. */
  readonly fresh?: boolean | undefined;
}

/** Which page of a list. */
export interface ListOptions extends RequestOptions {
  /** `next` of the page before; the first page without it. */
  readonly cursor?: string | undefined;
  /** Items of a page: 50 without it. */
  readonly limit?: number | undefined;
}

export interface TokenListOptions extends ListOptions {
  /** Largest first; `new`, the default, is newest first. */
  readonly sort?: 'new' | 'marketCap' | 'volume24h' | 'progress' | 'lastTrade' | undefined;
  readonly status?: TokenSummary['status'] | undefined;
  /** Only tokens of this wallet. */
  readonly creator?: string | undefined;
  /** What the symbol, a word of the name, or the address begins with. */
  readonly q?: string | undefined;
}

export interface TokenTradesOptions extends ListOptions {
  readonly trader?: string | undefined;
  readonly side?: 'buy' | 'sell' | undefined;
}

/** Which candles. */
export interface CandleOptions extends RequestOptions {
  /** Seconds; 60 without it. */
  readonly interval?: 1 | 15 | 60 | 300 | 900 | 3600 | 14400 | 86400 | undefined;
  /** Only candles that begin before this, in Unix seconds: for those before a chart's first. */
  readonly to?: number | undefined;
  /** The newest so many, at most 1,000; 300 without it. */
  readonly limit?: number | undefined;
}

const ROOT = '/v1/market';

export class MarketClient {
  readonly #transport: Transport;

  /** @throws InvalidArgumentError for a base that is not an http(s) URL */
  constructor(options: TransportOptions) {
    this.#transport = new Transport(options, readEnvelopeError);
  }

  /** What a page has to know of the launchpad. @throws ApiError, ConnectionError */
  config(options: RequestOptions = {}): Promise<MarketConfig> {
    return this.#get('/config', options, readMarketConfig);
  }

  /** A page of tokens. @throws ApiError, ConnectionError */
  tokens(options: TokenListOptions = {}): Promise<TokenPage> {
    return this.#get('/tokens', options, readTokenPage);
  }

  /** A token. @throws ApiError `TOKEN_NOT_FOUND`; ConnectionError */
  token(mint: string, options: RequestOptions = {}): Promise<TokenDetail> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}`, options, readTokenDetail);
  }

  /** A page of a token's trades, newest first. @throws as `token` */
  tokenTrades(mint: string, options: TokenTradesOptions = {}): Promise<TradePage> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}/trades`, options, readTradePage);
  }

  /** A token's candles, oldest first: market caps in lamports. @throws as `token` */
  candles(mint: string, options: CandleOptions = {}): Promise<Candles> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}/candles`, options, readCandles);
  }

  /** The largest holders of a token. @throws as `token` */
  holders(mint: string, options: Omit<ListOptions, 'cursor'> = {}): Promise<Holders> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}/holders`, options, readHolders);
  }

  /** What a wallet has traded and created. @throws ApiError, ConnectionError */
  wallet(address: string, options: RequestOptions = {}): Promise<Wallet> {
    return this.#get(`/wallets/${encodeURIComponent(address)}`, options, readWallet);
  }

  /** A page of a wallet's trades, newest first. @throws ApiError, ConnectionError */
  walletTrades(address: string, options: ListOptions = {}): Promise<TradePage> {
    return this.#get(`/wallets/${encodeURIComponent(address)}/trades`, options, readTradePage);
  }

  async #get<Answer>(
    path: string,
    { signal, fresh, ...query }: RequestOptions,
    read: Reader<Answer>,
  ): Promise<Answer> {
    const given = Object.entries<unknown>(query).filter(([, value]) => value !== undefined);
    const request = {
      method: 'GET',
      path: ROOT + path,
      query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      signal,
      fresh,
    } as const;
    return read(await this.#transport.request(request), 'the answer');
  }
}
