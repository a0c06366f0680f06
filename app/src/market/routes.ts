// The Market API: read only, for pages and bots, without a key.
import { Cache } from '../base/cached-value.js';
import type { Context } from '../context.js';
import type { Api } from '../http/api.js';
import { envelopeErrors, TOKEN_NOT_FOUND, TRADE_NOT_FOUND, noToken, noTrade } from '../http/error-shapes.js';
import { invalid } from '../http/problem.js';
import { defineRoute, type Route } from '../http/route.js';
import type { MarketConfig } from './config.js';
import { sameNames } from './books/names.js';
import { totalsRoute } from './listing/routes.js';
import { candlesOf } from './reads/candles.js';
import type { HoldersReader } from './reads/holders.js';
import { pricesOf } from './reads/prices.js';
import { newestReceipt } from './reads/receipt.js';
import { newestToken, tokenExists, versionOfToken } from './reads/token.js';
import { tokenPage, tokensNamed } from './reads/tokens.js';
import { tradePage, type TradesQuery } from './reads/trades.js';
import { WalletReader } from './reads/wallet.js';
import * as schema from './schemas.js';

export type MarketParts = Context & {
  readonly market: MarketConfig;
  readonly holders: HoldersReader;
};

const PREFIX = '/v1/market';

export function marketApi(parts: MarketParts): Api {
  const { market } = parts;
  return {
    name: 'market',
    description: 'Tokens, trades, candles, holders and wallets, for everybody',
    prefix: PREFIX,
    errors: envelopeErrors,
    kind: 'market',
    limit: parts.config.http.marketRateLimit,
    routes: [
      config(market),
      tokens(parts),
      prices(parts),
      token(parts, market),
      names(parts),
      tokenTrades(parts),
      receipt(parts),
      candles(parts),
      holders(parts),
      wallet(parts),
      walletTrades(parts),
      totalsRoute(parts, PREFIX),
    ],
  };
}

const SHORT = 'public, max-age=1, stale-while-revalidate=10';
const LONG = 'public, max-age=10, stale-while-revalidate=60';

function config(market: MarketConfig): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/config`,
    operationId: 'getMarketConfig',
    summary: 'What a page has to know of this launchpad',
    cacheControl: LONG,
    answer: schema.configAnswer,
    answerDescription: 'The configuration',
    handler: () => market.read(),
  });
}

function tokens({ database, market }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/tokens`,
    operationId: 'listTokens',
    summary: 'Tokens in an order',
    description:
      'A page follows the one before by its last token: tokens that move up meanwhile are not repeated, and those that move ' +
      'down may be.',
    cacheControl: SHORT,
    query: schema.tokensQuery,
    answer: schema.tokensAnswer,
    answerDescription: 'A page of tokens',
    handler: async ({ query: { cursor: after, mints, sort, limit, maxAge, ...filters } }) => {
      if (mints !== undefined) {
        const others = Object.entries({ ...filters, maxAge, cursor: after });
        const given = others.filter(([, value]) => value !== undefined);
        if (given.length > 0)
          throw invalid(
            given.map(([field]) => ({ field, message: 'does not go with mints; leave out one of the two' })),
          );
        return database.read((db) => tokensNamed(db, mints));
      }
      if (after !== undefined && after.sort !== sort) {
        throw invalid([
          {
            field: 'cursor',
            message: `is of a page sorted by ${after.sort}; leave it out to begin with another sort`,
          },
        ]);
      }
      const createdFrom = maxAge === undefined ? undefined : (await market.now()) - maxAge;
      return database.read((db) => tokenPage(db, { ...filters, sort, limit, createdFrom, after }));
    },
  });
}

/** Everybody on the board asks for the same tokens. */
const PRICES_MS = 5_000;
const MOST_PRICES = 200;

function prices({ database, market }: MarketParts): Route {
  const kept = new Cache<Awaited<ReturnType<typeof pricesOf>>>(PRICES_MS, MOST_PRICES);
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/prices`,
    operationId: 'listPrices',
    summary: 'What tokens were worth in the last 24 hours',
    description:
      'For lists: a small line, and changes of 5 minutes and an hour against `marketCap` of the token.',
    cacheControl: LONG,
    query: schema.pricesQuery,
    answer: schema.pricesAnswer,
    answerDescription: 'The prices, in the order of `mints`',
    handler: ({ query: { mints } }) =>
      kept.get(mints.join(), async () => {
        const now = await market.now();
        return database.read((db) => pricesOf(db, mints, now));
      }),
  });
}

function token({ database }: MarketParts, market: MarketConfig): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/tokens/{mint}`,
    operationId: 'getToken',
    summary: 'A token',
    cacheControl: SHORT,
    params: schema.mintParams,
    answer: schema.tokenAnswer,
    answerDescription: 'The token',
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ params: { mint } }) => {
      const found = await newestToken(database, mint);
      if (found === undefined) throw noToken();
      return market.withPoolPage(found);
    },
  });
}

function names({ database }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/names`,
    operationId: 'countSameNames',
    summary: 'How many tokens have a name or a symbol already',
    description:
      'Names that look the same count as the same: in another case or width, with invisible or look-alike letters. For a warning, not ' +
      'for a refusal: plain names can look alike too.',
    cacheControl: SHORT,
    query: schema.namesQuery,
    answer: schema.sameNames,
    answerDescription: 'The numbers',
    handler: ({ query: { name = '', symbol = '' } }) =>
      database.read((db) => sameNames(db, { name, symbol })),
  });
}

function tokenTrades({ database }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/tokens/{mint}/trades`,
    operationId: 'listTokenTrades',
    summary: 'Trades of a token',
    cacheControl: SHORT,
    params: schema.mintParams,
    query: schema.tokenTradesQuery,
    answer: schema.tradesAnswer,
    answerDescription: 'A page of trades',
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ params: { mint }, query: { cursor, ...query } }) => {
      const page = await database.read((db) =>
        tradePage(db, { mint, ...query, ...sameOrder(query, cursor) }),
      );
      if (page.items.length === 0 && !(await tokenExists(database.queries, mint))) throw noToken();
      return page;
    },
  });
}

function receipt({ database }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/trades/{signature}`,
    operationId: 'getReceipt',
    summary: 'The trades of a transaction, with those beside them in the slot',
    description: 'Who trades right before and right after somebody in the same slot is seen here.',
    cacheControl: SHORT,
    params: schema.receiptParams,
    answer: schema.receiptAnswer,
    answerDescription: 'The trades',
    errors: [TRADE_NOT_FOUND],
    handler: async ({ params: { signature } }) => {
      const found = await newestReceipt(database, signature);
      if (found === undefined) throw noTrade();
      return found;
    },
  });
}

function candles({ database }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/tokens/{mint}/candles`,
    operationId: 'listCandles',
    summary: "A token's candles",
    description:
      'Prices are market caps in lamports, on the curve and in the pool. Candles of 1 and 15 seconds are made from the newest ' +
      '10,000 trades before `to`. Candles of 60, 300 and 900 seconds begin at midnight UTC 30 days before the newest trade of the ' +
      'launchpad (`MINUTE_CANDLES_DAYS` of the service), those of an hour and more at the first trade.',
    cacheControl: SHORT,
    version: ({ mint }) => versionOfToken(database.queries, mint),
    params: schema.mintParams,
    query: schema.candlesQuery,
    answer: schema.candlesAnswer,
    answerDescription: 'The candles',
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ params: { mint }, query }) => {
      const found = await candlesOf(database.queries, { mint, ...query });
      if (found.length === 0 && !(await tokenExists(database.queries, mint))) throw noToken();
      return { interval: query.interval, candles: found };
    },
  });
}

function holders({ holders: reader }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/tokens/{mint}/holders`,
    operationId: 'listHolders',
    summary: 'The largest holders of a token',
    description: 'Read from the node, at most every 30 seconds.',
    cacheControl: LONG,
    params: schema.mintParams,
    query: schema.holdersQuery,
    answer: schema.holdersAnswer,
    answerDescription: 'The holders, largest first',
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ params: { mint }, query: { limit } }) => {
      const found = await reader.read(mint, limit);
      if (found === undefined) throw noToken();
      return found;
    },
  });
}

function wallet(parts: MarketParts): Route {
  const reader = new WalletReader(parts);
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/wallets/{address}`,
    operationId: 'getWallet',
    summary: 'What a wallet holds, has traded and created',
    description:
      "The amounts are the chain's. A position is valued at a sale of all of it now: on the curve by its reserves and the fee, in the pool by " +
      'its reserves and the fees of the AMM.',
    cacheControl: SHORT,
    params: schema.walletParams,
    answer: schema.walletAnswer,
    answerDescription: 'Its positions, and its tokens',
    handler: ({ params: { address } }) => reader.read(address),
  });
}

function walletTrades({ database }: MarketParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PREFIX}/wallets/{address}/trades`,
    operationId: 'listWalletTrades',
    summary: 'Trades of a wallet',
    cacheControl: SHORT,
    params: schema.walletParams,
    query: schema.walletTradesQuery,
    answer: schema.tradesAnswer,
    answerDescription: 'A page of trades',
    handler: ({ params: { address: trader }, query: { cursor, ...query } }) =>
      database.read((db) => tradePage(db, { trader, ...query, ...sameOrder(query, cursor) })),
  });
}

/** @throws HttpProblem for a cursor of a page in the other order */
function sameOrder({ order }: Pick<TradesQuery, 'order'>, after: TradesQuery['after']) {
  if (after === undefined || after.order === order) return { after };
  throw invalid([
    {
      field: 'cursor',
      message: `is of a page with the ${after.order} trades first; leave it out to begin with another order`,
    },
  ]);
}
