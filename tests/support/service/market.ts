// A running service with the Market API.
import type { PublicKey } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import type { z } from '#app/http/zod.js';
import type * as schema from '#app/market/schemas.js';
import type { Service } from '#app/service.js';
import type { Token } from '#tests/program/tokens.js';
import { ApiClient } from './api-client.js';
import { eventually } from './service.js';
import { startTestService } from './test-service.js';

export interface MarketScene {
  readonly service: Service;
  readonly api: ApiClient;
  /** Answers of `/v1/market` with status 200. */
  readonly get: {
    config(): Promise<z.output<typeof schema.configAnswer>>;
    tokens(query?: string): Promise<z.output<typeof schema.tokensAnswer>>;
    token(token: Token): Promise<z.output<typeof schema.tokenAnswer>>;
    trades(token: Token, query?: string): Promise<z.output<typeof schema.tradesAnswer>>;
    holders(token: Token, query?: string): Promise<z.output<typeof schema.holdersAnswer>>;
    names(query: string): Promise<z.output<typeof schema.sameNames>>;
    wallet(wallet: PublicKey): Promise<z.output<typeof schema.walletAnswer>>;
    walletTrades(wallet: PublicKey, query?: string): Promise<z.output<typeof schema.tradesAnswer>>;
    candles(token: Token, query?: string): Promise<z.output<typeof schema.candlesAnswer>>;
  };
  untilTraded(token: Token, trades: number): Promise<void>;
}

export async function startMarketScene(
  cluster: LocalCluster,
  environment: Readonly<Record<string, string>> = {},
): Promise<MarketScene> {
  // Tests ask again and again until something is there.
  const often = { MARKET_RATE_LIMIT_REQUESTS: '1000000' };
  const settings = { SETTLEMENT_INTERVAL_SECONDS: '0', ...often, ...environment };
  const service = await startTestService(cluster, settings);
  const api = new ApiClient(service.url, service.document);
  const get = async <Answer>(path: string): Promise<Answer> => {
    const answer = await api.get(`/v1/market${path}`, { headers: { 'cache-control': 'no-cache' } });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body as Answer;
  };
  const pathOf = ({ mint }: Token) => `/tokens/${mint.toBase58()}`;
  return {
    service,
    api,
    get: {
      config: () => get('/config'),
      tokens: (query = '') => get(`/tokens?${query}`),
      token: (token) => get(pathOf(token)),
      trades: (token, query = '') => get(`${pathOf(token)}/trades?${query}`),
      holders: (token, query = '') => get(`${pathOf(token)}/holders?${query}`),
      names: (query) => get(`/names?${query}`),
      wallet: (wallet) => get(`/wallets/${wallet.toBase58()}`),
      walletTrades: (wallet, query = '') => get(`/wallets/${wallet.toBase58()}/trades?${query}`),
      candles: (token, query = '') => get(`${pathOf(token)}/candles?${query}`),
    },
    untilTraded: ({ mint }, trades) =>
      eventually(async () => {
        const { status, body } = await api.get(`/v1/market/tokens/${mint.toBase58()}`);
        return status === 200 && body['trades'] === trades;
      }, `${trades} trades of ${mint.toBase58()} in the market`),
  };
}
