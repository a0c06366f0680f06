// Requests to the Market API. Amounts are decimal text of lamports and token units. `BigInt` converts them exactly.
import { requireKnown, type OptionNames } from '../../checks/options.js';
import {
  readCandles,
  readHolders,
  readMarketConfig,
  readPrices,
  readReceipt,
  readSameNames,
  readTokenDetail,
  readTokenPage,
  readTradePage,
  readWallet,
  type Candles,
  type Holders,
  type MarketConfig,
  type Prices,
  type SameNames,
  type TokenDetail,
  type Receipt,
  type TokenPage,
  type TokenSummary,
  type TradePage,
  type Wallet,
} from '../../generated/api/market.js';
import { readEnvelopeError } from '../envelope-error.js';
import type { Reader } from '../readers.js';
import { Transport, type TransportOptions } from '../transport.js';

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the caches of the browser and the service. Use it after a reorg dropped trades, for example. */
  readonly fresh?: boolean | undefined;
}

/** Selects a page of a list. */
export interface ListOptions extends RequestOptions {
  /** `next` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
  /** Most items of a page. Default 50. A page can have fewer, or none: the last one is that whose `next` is null. */
  readonly limit?: number | undefined;
}

export interface TokenListOptions extends ListOptions {
  /** Largest first, except `new` (the default): newest first. */
  readonly sort?: 'new' | 'marketCap' | 'volume24h' | 'progress' | 'lastTrade' | undefined;
  readonly status?: TokenSummary['status'] | undefined;
  /** Only tokens that this wallet created. */
  readonly creator?: string | undefined;
  /** Prefix of the symbol, of a word of the name, or of the address; or three letters and more inside a name or symbol. */
  readonly q?: string | undefined;
  /** Only tokens of which so many lamports were traded in the last 24 hours. */
  readonly minVolume24h?: bigint | string | undefined;
  /** Only tokens that were created in the last so many seconds. */
  readonly maxAge?: number | undefined;
  /** `none`: only tokens of which the creator has sold none. */
  readonly creatorSold?: 'none' | undefined;
  /** Only the tokens with these addresses, at most 50, in this order and as one page. Of the others only `sort` and `limit` may stand beside it. */
  readonly mints?: readonly string[] | undefined;
}

export interface TradesOptions extends ListOptions {
  /** Which trades come first. Default `newest`. A cursor belongs to one order. */
  readonly order?: 'newest' | 'oldest' | undefined;
}

export interface TokenTradesOptions extends TradesOptions {
  readonly trader?: string | undefined;
  readonly side?: 'buy' | 'sell' | undefined;
}

/** Names tokens. */
export interface PricesOptions extends RequestOptions {
  /** At most 50. */
  readonly mints: readonly string[];
}

/** A name and a symbol to look for. */
export interface NamesOptions extends RequestOptions {
  readonly name?: string | undefined;
  readonly symbol?: string | undefined;
}

/** Selects candles. */
export interface CandleOptions extends RequestOptions {
  /** Seconds. Default 60. */
  readonly interval?: 1 | 15 | 60 | 300 | 900 | 3600 | 14400 | 86400 | undefined;
  /** Only candles that start before this time, in Unix seconds. Use it to load candles before a chart's first. */
  readonly to?: number | undefined;
  /** Number of newest candles, at most 1,000. Default 300. */
  readonly limit?: number | undefined;
}

const REQUEST = { signal: true, fresh: true } as const satisfies OptionNames<RequestOptions>;
const PAGE = { cursor: true, limit: true } as const satisfies OwnNames<ListOptions, RequestOptions>;
const TOKEN_LIST = {
  sort: true,
  status: true,
  creator: true,
  q: true,
  minVolume24h: true,
  maxAge: true,
  creatorSold: true,
  mints: true,
} as const satisfies OwnNames<TokenListOptions, ListOptions>;
const TRADES = { ...PAGE, order: true } as const satisfies OwnNames<TradesOptions, RequestOptions>;
const TOKEN_TRADES = { trader: true, side: true } as const satisfies OwnNames<
  TokenTradesOptions,
  TradesOptions
>;
const PRICES = { mints: true } as const satisfies OwnNames<PricesOptions, RequestOptions>;
const NAMES = { name: true, symbol: true } as const satisfies OwnNames<NamesOptions, RequestOptions>;
const CANDLES = { interval: true, to: true, limit: true } as const satisfies OwnNames<
  CandleOptions,
  RequestOptions
>;

/** The names that a type adds to another. */
type OwnNames<T, Base> = OptionNames<Omit<T, keyof Base>>;

const ROOT = '/v1/market';

export class MarketClient {
  readonly #transport: Transport;

  /** @throws InvalidArgumentError for a base that is not an http(s) URL */
  constructor(options: TransportOptions) {
    this.#transport = new Transport(options, readEnvelopeError, JSON.parse);
  }

  /** Reads the launchpad's configuration for a page. @throws ApiError, ConnectionError */
  config(options: RequestOptions = {}): Promise<MarketConfig> {
    return this.#get('/config', options, readMarketConfig, {});
  }

  /** A page of tokens. @throws ApiError, ConnectionError */
  tokens(options: TokenListOptions = {}): Promise<TokenPage> {
    return this.#get('/tokens', options, readTokenPage, { ...PAGE, ...TOKEN_LIST });
  }

  /** What tokens were worth in the last 24 hours. Unknown ones are left out. @throws ApiError, ConnectionError */
  prices(options: PricesOptions): Promise<Prices> {
    return this.#get('/prices', options, readPrices, PRICES);
  }

  /** A token. @throws ApiError `TOKEN_NOT_FOUND`; ConnectionError */
  token(mint: string, options: RequestOptions = {}): Promise<TokenDetail> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}`, options, readTokenDetail, {});
  }

  /** A page of a token's trades. @throws as `token` */
  tokenTrades(mint: string, options: TokenTradesOptions = {}): Promise<TradePage> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}/trades`, options, readTradePage, {
      ...TRADES,
      ...TOKEN_TRADES,
    });
  }

  /**
   * The trades of a transaction, with those of the same token beside them in the slot.
   *
   * @throws ApiError `TRADE_NOT_FOUND`; ConnectionError
   */
  receipt(signature: string, options: RequestOptions = {}): Promise<Receipt> {
    return this.#get(`/trades/${encodeURIComponent(signature)}`, options, readReceipt, {});
  }

  /** A token's candles, oldest first: market caps in lamports. @throws as `token` */
  candles(mint: string, options: CandleOptions = {}): Promise<Candles> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}/candles`, options, readCandles, CANDLES);
  }

  /** The largest holders of a token. @throws as `token` */
  holders(mint: string, options: Omit<ListOptions, 'cursor'> = {}): Promise<Holders> {
    return this.#get(`/tokens/${encodeURIComponent(mint)}/holders`, options, readHolders, { limit: true });
  }

  /**
   * How many tokens have a name or a symbol already, or one that looks the same. For a warning before a launch.
   *
   * @throws ApiError, ConnectionError
   */
  names(options: NamesOptions): Promise<SameNames> {
    return this.#get('/names', options, readSameNames, NAMES);
  }

  /** A wallet's trades and created tokens. @throws ApiError, ConnectionError */
  wallet(address: string, options: RequestOptions = {}): Promise<Wallet> {
    return this.#get(`/wallets/${encodeURIComponent(address)}`, options, readWallet, {});
  }

  /** A page of a wallet's trades. @throws ApiError, ConnectionError */
  walletTrades(address: string, options: TradesOptions = {}): Promise<TradePage> {
    return this.#get(`/wallets/${encodeURIComponent(address)}/trades`, options, readTradePage, TRADES);
  }

  async #get<Answer>(
    path: string,
    options: RequestOptions,
    read: Reader<Answer>,
    names: Readonly<Record<string, true>>,
  ): Promise<Answer> {
    requireKnown('options', options, REQUEST, names);
    const { signal, fresh, ...query } = options;
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
