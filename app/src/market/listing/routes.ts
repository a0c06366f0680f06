// What DEX Screener, GeckoTerminal and DEXTools read, each by its own contract. Of finalized data only, so that no answer changes.
import type { Context } from '../../context.js';
import type { Api } from '../../http/api.js';
import { envelopeErrors, noToken, TOKEN_NOT_FOUND, type ErrorShape } from '../../http/error-shapes.js';
import { HttpProblem, invalid } from '../../http/problem.js';
import { defineRoute, type ErrorCase, type Route } from '../../http/route.js';
import { z } from '../../http/zod.js';
import type { HoldersReader } from '../reads/holders.js';
import { blockAt, blockOf, lastSlot, latestBlock, tradedBlockAt } from './blocks.js';
import { eventsOf, tokensOf } from './events.js';
import { assetOf, pairOf } from './pairs.js';
import * as schema from './schemas.js';
import { DayTotals } from './totals.js';

export type ListingParts = Context & { readonly holders: HoldersReader };

const SHORT = 'public, max-age=1';
const LONG = 'public, max-age=60';
const FOR_EVER = 'public, max-age=31536000, immutable';

const get = (path: string, operationId: string, summary: string, cacheControl: string) =>
  ({ method: 'get', path, operationId, summary, cacheControl }) as const;
const notFound = (code: string, description: string) => ({ status: 404, code, description });
const PAIR_NOT_FOUND = notFound('PAIR_NOT_FOUND', 'There is no such curve, nor a pool that is listed.');
const BLOCK_NOT_FOUND = notFound('BLOCK_NOT_FOUND', 'There is no such finalized block.');
const EXCHANGE_NOT_FOUND = notFound(
  'EXCHANGE_NOT_FOUND',
  'The program of this launchpad has another address.',
);
const EVENTS_ARCHIVED = notFound('EVENTS_ARCHIVED', 'The operator has taken old trades out of the index.');
const missing = ({ code, description }: ErrorCase) => new HttpProblem(404, code, description);

/** `{code, message, issues?}`, with the status as the code. */
const toolsErrors: ErrorShape = {
  body: ({ status, message, fields }) => ({
    code: String(status),
    message,
    ...(fields.length > 0 && {
      issues: fields.map((problem) => ({ param: problem.field, code: 'invalid', message: problem.message })),
    }),
  }),
  schema: (status) =>
    z.object({
      code: z.literal(String(status)),
      message: z.string(),
      issues: z.array(z.object({ param: z.string(), code: z.string(), message: z.string() })).optional(),
    }),
};

export function listingApis(parts: ListingParts): Api[] {
  const { config, deployment } = parts;
  const [screener, tools] = ['/adapters/dexscreener', '/adapters/dextools'];
  const factoryAddress = deployment.programId.toBase58();
  const dexKey = config.serviceName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return [
    {
      ...{ name: 'dexscreener', prefix: screener, kind: 'listing', errors: envelopeErrors, anyOrigin: true },
      description: 'What DEX Screener and GeckoTerminal read (adapter specification 1.1)',
      routes: [
        newest(parts, screener, 'getDexScreenerBlock'),
        asset(parts, screener, 'getDexScreenerAsset'),
        defineRoute({
          ...pairRoute(screener, 'getDexScreenerPair'),
          answer: schema.screenerPairAnswer,
          handler: async ({ query: { id } }) => ({
            pair: { ...(await pair(parts, id)), dexKey: dexKey || 'launchpad' },
          }),
        }),
        defineRoute({
          ...eventsRoute(screener, 'listDexScreenerEvents'),
          answer: schema.screenerEventsAnswer,
          handler: async ({ query }) => ({
            events: (await eventsOf(parts, query)).filter((event) => event.eventType !== 'creation'),
          }),
        }),
      ],
    },
    {
      ...{ name: 'dextools', prefix: tools, kind: 'listing', errors: toolsErrors, anyOrigin: true },
      description: 'What DEXTools reads (http-adapter 0.0.1)',
      routes: [
        newest(parts, tools, 'getDexToolsBlock'),
        blockRoute(parts, tools),
        asset(parts, tools, 'getDexToolsAsset'),
        holders(parts, tools),
        defineRoute({
          ...get(`${tools}/exchange`, 'getDexToolsExchange', 'The launchpad', LONG),
          query: schema.idQuery,
          answer: schema.exchangeAnswer,
          answerDescription: 'Its program and name',
          errors: [EXCHANGE_NOT_FOUND],
          handler: ({ query: { id } }) =>
            id === factoryAddress
              ? Promise.resolve({ exchange: { factoryAddress, name: config.serviceName } })
              : Promise.reject(missing(EXCHANGE_NOT_FOUND)),
        }),
        defineRoute({
          ...pairRoute(tools, 'getDexToolsPair'),
          answer: schema.toolsPairAnswer,
          handler: async ({ query: { id } }) => ({ pair: { ...(await pair(parts, id)), factoryAddress } }),
        }),
        defineRoute({
          ...eventsRoute(tools, 'listDexToolsEvents'),
          answer: schema.toolsEventsAnswer,
          handler: async ({ query }) => ({ events: await eventsOf(parts, query) }),
        }),
      ],
    },
  ];
}

function newest(parts: ListingParts, prefix: string, operationId: string): Route {
  return defineRoute({
    ...get(`${prefix}/latest-block`, operationId, 'The newest block of which every event is listed', SHORT),
    answer: schema.blockAnswer,
    answerDescription: 'The block',
    handler: async () => ({ block: await latestBlock(parts) }),
  });
}

function blockRoute(parts: ListingParts, prefix: string): Route {
  return defineRoute({
    ...get(`${prefix}/block`, 'findDexToolsBlock', 'A finalized block', LONG),
    query: schema.blockQuery,
    answer: schema.blockAnswer,
    answerDescription: 'The block',
    errors: [BLOCK_NOT_FOUND],
    handler: async ({ query: { number, timestamp } }) => {
      const { config } = parts;
      if ((number === undefined) === (timestamp === undefined))
        throw invalid([{ field: 'number', message: 'or timestamp must be given, and not both' }]);
      const last = (await lastSlot(parts.database.queries, config.listsPools)) ?? -1;
      const found =
        timestamp !== undefined
          ? await tradedBlockAt(parts.database.queries, timestamp, last)
          : number! <= last
            ? await blockAt(parts, number!)
            : undefined;
      if (found === undefined) throw missing(BLOCK_NOT_FOUND);
      return { block: blockOf(found) };
    },
  });
}

function asset(parts: ListingParts, prefix: string, operationId: string): Route {
  return defineRoute({
    ...get(`${prefix}/asset`, operationId, 'A token, or wrapped SOL', LONG),
    query: schema.idQuery,
    answer: schema.assetAnswer,
    answerDescription: 'The token',
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ query: { id } }) => {
      const found = await assetOf(parts, id);
      if (found === undefined) throw noToken();
      return { asset: found };
    },
  });
}

function holders(parts: ListingParts, prefix: string): Route {
  return defineRoute({
    ...get(`${prefix}/asset/holders`, 'listDexToolsHolders', 'The largest holders of a token', LONG),
    query: schema.holdersQuery,
    answer: schema.holdersAnswer,
    answerDescription: 'A page of holders; empty after the largest hundred',
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ query: { id, page = 0, pageSize = 10 } }) => {
      const found = await parts.holders.read(id, Infinity);
      if (found === undefined) throw noToken();
      const people = found.items.filter(({ is }) => is !== 'curve' && is !== 'pool');
      const shown = people.slice(page * pageSize, (page + 1) * pageSize);
      return {
        asset: {
          ...{ id, totalHoldersCount: found.people },
          holders: shown.map(({ wallet, amount }) => ({ address: wallet, quantity: tokensOf(amount) })),
        },
      };
    },
  });
}

const pairRoute = (prefix: string, operationId: string) =>
  ({
    ...get(`${prefix}/pair`, operationId, 'A curve or a pool', FOR_EVER),
    query: schema.idQuery,
    answerDescription: 'The pair of a token with SOL',
    errors: [PAIR_NOT_FOUND],
  }) as const;

async function pair(parts: ListingParts, id: string) {
  const found = await pairOf(parts, id);
  if (found === undefined) throw missing(PAIR_NOT_FOUND);
  return found;
}

const eventsRoute = (prefix: string, operationId: string) =>
  ({
    ...get(`${prefix}/events`, operationId, 'What happened on the curves in a range of blocks', FOR_EVER),
    description:
      'Both ends are included. The answer never changes. Trades in pools are left to the listing of their AMM, unless the operator has set `LISTING_POOLS`.',
    query: schema.rangeQuery,
    answerDescription: 'The events',
    errors: [EVENTS_ARCHIVED],
  }) as const;

/** For the adapters of DefiLlama. */
export function totalsRoute(parts: Context, prefix: string): Route {
  const totals = new DayTotals(parts);
  return defineRoute({
    ...get(`${prefix}/totals`, 'getDayTotals', 'What happened on the curves in a day', FOR_EVER),
    description:
      'A day is over when the newest finalized block is of a later one. From then on the answer never changes.',
    query: schema.totalsQuery,
    answer: schema.totalsAnswer,
    answerDescription: 'The totals',
    errors: [EVENTS_ARCHIVED],
    handler: ({ query: { day } }) => totals.of(day),
  });
}
