// Request and response schemas of the Market API. Amounts are decimal strings, exact in every JSON reader.
import {
  addressSchema,
  cursorSchema,
  pageLimit,
  readWhole,
  signatureSchema,
  wholeSchema,
} from '../http/schemas.js';
import { z } from '../http/zod.js';
import { deploymentSchema } from './launchpad/deployment.js';
import { decodeTokenCursor, decodeTradeCursor, ORDERS } from './reads/cursor.js';
import { HOLDER_KINDS, MOST_HOLDERS } from './reads/holders.js';
import { MOST_SAME } from './books/names.js';
import { INTERVALS, type Interval } from './reads/candles.js';
import { POINTS } from './reads/prices.js';
import { SORTS } from './reads/tokens.js';
import { feeShare } from './shares/schemas.js';
import { STATUSES, VENUES } from './reads/token-rows.js';
import { ofEachLink } from '../tokens/pictures/document.js';

const LARGEST_PAGE = 100;
const USUAL_PAGE = 50;
const MOST_NAMED_TOKENS = 50;
const MOST_TRADES = 200;
const MOST_CANDLES = 1_000;
const USUAL_CANDLES = 300;
const LONGEST_SEARCH = 64;
/** Latest time that a request may name: the year 5138, in Unix seconds. */
const LARGEST_TIME = 99_999_999_999;

export const decimal = (description: string) =>
  z.string().openapi({ description, pattern: '^\\d+$', example: '1000000000' });
const signedDecimal = (description: string) => z.string().openapi({ description, pattern: '^-?\\d+$' });
export const unixSeconds = (description: string) =>
  wholeSchema(`${description}: Unix seconds of the cluster's clock`);
const finalized = z.boolean().openapi({ description: 'Whether no fork can take it back any more' });

export const mintParams = z.strictObject({ mint: addressSchema("a token's address") });
export const walletParams = z.strictObject({ address: addressSchema('a wallet address') });

const summaryFields = {
  mint: addressSchema("the token's address"),
  name: z.string(),
  symbol: z.string(),
  image: z.string().nullable().openapi({ description: "Path of the service's own copy" }),
  creator: addressSchema("the creator's wallet"),
  createdAt: unixSeconds('When it was created'),
  status: z.enum(STATUSES),
  venue: z.enum(VENUES).openapi({
    description:
      'Where it trades. `graduating`: nowhere until its pool opens. `unknown`: the operator has moved it by hand',
  }),
  virtualSol: decimal("Lamports: with `virtualToken` the price. The curve's virtual reserve, or the pool's"),
  virtualToken: decimal('Token units'),
  initialVirtualToken: decimal('Token units, when the curve began'),
  marketCap: decimal('Lamports: the supply at the current price, rounded down'),
  progressBps: wholeSchema('Towards graduation, in basis points'),
  volume24h: decimal('Lamports traded in the last 24 hours, to the minute'),
  change24hBps: wholeSchema(
    'Change of the price in the last 24 hours in basis points, or since the creation; null without a trade',
    -10_000,
  ).nullable(),
  trades: wholeSchema('All trades, on the curve and in the pool'),
  lastTradeAt: unixSeconds('The last trade').nullable(),
  finalized,
};

export const tokenSummary = z
  .object(summaryFields)
  .openapi('TokenSummary', { description: 'A token as lists show it' });

export const trade = z
  .object({
    id: decimal('Grows in the order of the chain'),
    mint: addressSchema("the token's address"),
    signature: signatureSchema('the transaction'),
    slot: wholeSchema('Of the transaction'),
    trader: addressSchema("the trader's wallet"),
    venue: z.enum(['curve', 'pool']),
    isBuy: z.boolean(),
    solAmount: decimal('Lamports that the trader paid or received, fees and all'),
    tokenAmount: decimal('Token units'),
    fee: decimal('Lamports of fee: the platform’s, or the pool’s'),
    virtualSol: decimal('Lamports: the reserve after the trade'),
    virtualToken: decimal('Token units: the reserve after the trade'),
    graduated: z.boolean().openapi({ description: 'Whether it took the last tokens of the curve' }),
    timestamp: unixSeconds('When'),
    finalized,
  })
  .openapi('Trade', { description: 'A trade on the curve or in the pool' });

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next: z.string().nullable().openapi({
      description:
        'Cursor of the next page; null on the last. A page before it can have fewer items than the limit, or none',
    }),
  });

export const tokensAnswer = pageOf(tokenSummary).openapi('TokenPage', { description: 'A page of tokens' });
export const receiptParams = z.object({ signature: signatureSchema('the transaction') });
export const receiptAnswer = z
  .object({
    items: z.array(
      z.object({
        trade,
        place: wholeSchema('Among the trades of its token in its slot, from 1'),
        of: wholeSchema('How many trades of its token are in its slot'),
        beside: z.array(trade).openapi({
          description: 'The trades of its token right before it and right after it, if they are in its slot',
        }),
      }),
    ),
  })
  .openapi('Receipt', { description: 'The trades of one transaction, in their order' });
export const tradesAnswer = pageOf(trade).openapi('TradePage', { description: 'A page of trades' });

const cursorOf = <Position>(decode: (cursor: string) => Position | undefined) =>
  cursorSchema(
    decode,
    '`next` of an earlier answer; leave it out to begin',
    '`next` of the page before; the first page without it',
  );

/** Addresses of tokens, separated by commas. */
function mintsOf(description: string) {
  const address = addressSchema("a token's address");
  return z
    .string()
    .transform((text, context) => {
      const mints = text.split(',');
      const wrong = mints.findIndex((mint) => !address.safeParse(mint).success);
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      if (mints.length > MOST_NAMED_TOKENS)
        return refuse(`names ${mints.length} tokens; name at most ${MOST_NAMED_TOKENS}`);
      if (wrong >= 0)
        return refuse(`has an invalid entry ${wrong + 1}: it must be a token's address, 32 bytes in base58`);
      if (new Set(mints).size < mints.length) return refuse('names a token twice; name each once');
      return mints;
    })
    .openapi({
      type: 'array',
      items: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' },
      minItems: 1,
      maxItems: MOST_NAMED_TOKENS,
      uniqueItems: true,
      description,
      example: ['So11111111111111111111111111111111111111112'],
      param: { style: 'form', explode: false },
    });
}

export const tokensQuery = z.object({
  sort: z.enum(SORTS).default('new').openapi({ description: 'Largest first; `new`: newest first' }),
  status: z.enum(STATUSES).optional(),
  creator: addressSchema('a wallet address').optional(),
  q: z
    .string()
    .trim()
    .min(1, { error: 'is empty; leave it out, or search for at least one character' })
    .max(LONGEST_SEARCH, { error: `has more than ${LONGEST_SEARCH} characters; search for fewer` })
    .optional()
    .openapi({
      pattern: '\\S',
      description:
        "What the symbol, a word of the name, or the address begins with, or the creator's address. Three letters and more are " +
        'found inside words too',
    }),
  minVolume24h: z
    .string()
    .regex(/^\d{1,20}$/, { error: 'must be lamports: a whole number of at most 20 digits' })
    .transform(BigInt)
    .openapi({
      ...{ type: 'string', pattern: '^\\d{1,20}$', example: '1000000000' },
      description: 'Only tokens of which so many lamports were traded in the last 24 hours',
    })
    .optional(),
  maxAge: z
    .string()
    .transform(readWhole({ digits: 11, largest: LARGEST_TIME }))
    .openapi({
      ...{ type: 'integer', format: 'int64', minimum: 1, maximum: LARGEST_TIME, example: 3_600 },
      description: 'Only tokens that were created in the last so many seconds',
    })
    .optional(),
  creatorSold: z
    .enum(['none'])
    .optional()
    .openapi({ description: '`none`: only tokens of which the creator has sold none' }),
  limit: pageLimit('Tokens', LARGEST_PAGE, USUAL_PAGE),
  cursor: cursorOf(decodeTokenCursor),
  mints: mintsOf(
    'Only these tokens, in this order, as one page; `sort` and `limit` do not apply. Unknown ones are left out. Not together with ' +
      'a filter or `cursor`',
  ).optional(),
});

export const pricesQuery = z.object({ mints: mintsOf('The tokens. Unknown ones are left out') });
const cap = (when: string) => decimal(`Lamports: its market cap ${when}`);
export const pricesAnswer = z
  .object({
    items: z.array(
      z
        .object({
          mint: addressSchema("the token's address"),
          marketCap5m: cap('5 minutes ago, to the minute'),
          marketCap1h: cap('an hour ago, to the minute'),
          volume5m: decimal('Lamports traded in the last 5 minutes, to the minute'),
          volume1h: decimal('Lamports traded in the last hour, to the minute'),
          spark: z.array(z.string()).openapi({
            description: `${POINTS} market caps at equal distances, the last of now: over 24 hours, or since the creation`,
            example: ['27000000000', '30000000000', '29000000000'],
          }),
        })
        .openapi('TokenPrices', { description: 'What a token was worth in the last 24 hours' }),
    ),
  })
  .openapi('Prices', { description: 'What tokens were worth in the last 24 hours' });

const trades = {
  limit: pageLimit('Trades', MOST_TRADES, USUAL_PAGE),
  cursor: cursorOf(decodeTradeCursor),
  order: z.enum(ORDERS).default('newest').openapi({ description: 'Which trades come first' }),
};
export const walletTradesQuery = z.object(trades);
export const tokenTradesQuery = z.object({
  trader: addressSchema('a wallet address').optional(),
  side: z.enum(['buy', 'sell']).optional(),
  ...trades,
});

export const candlesQuery = z.object({
  interval: z
    .string()
    .default('60')
    .transform((text, context): Interval => {
      const interval = INTERVALS.find((seconds) => String(seconds) === text);
      if (interval !== undefined) return interval;
      context.addIssue({ code: 'custom', message: `must be one of ${INTERVALS.join(', ')}: seconds` });
      return z.NEVER;
    })
    .openapi({ type: 'integer', enum: [...INTERVALS], default: 60, description: 'Seconds of a candle' }),
  to: z
    .string()
    .transform(readWhole({ digits: 11, largest: LARGEST_TIME }))
    .openapi({
      ...{ type: 'integer', format: 'int64', minimum: 1, maximum: LARGEST_TIME },
      description: 'Only candles that begin before this, in Unix seconds',
    })
    .optional(),
  limit: pageLimit('Candles', MOST_CANDLES, USUAL_CANDLES),
});

const candle = z
  .tuple([wholeSchema(), z.string(), z.string(), z.string(), z.string(), z.string(), wholeSchema()])
  .openapi({
    description:
      'Beginning in Unix seconds; open, high, low and close as market caps in lamports; volume in lamports; trades',
  });

export const candlesAnswer = z
  .object({
    interval: wholeSchema('Seconds'),
    candles: z.array(candle).openapi({
      description:
        'Oldest first, the newest of them. Those without a trade are left out; each opens where the one before closed',
    }),
  })
  .openapi('Candles', { description: 'Prices of a token by time' });

const nullableText = z.string().nullable();

export const holdersQuery = z.object({ limit: pageLimit('Holders', MOST_HOLDERS, 20) });
export const holdersAnswer = z
  .object({
    items: z.array(
      z
        .object({
          wallet: addressSchema('the owner'),
          amount: decimal('Token units, in all its accounts'),
          shareBps: wholeSchema('Of all that there are, in basis points, rounded down'),
          is: z
            .enum(HOLDER_KINDS)
            .nullable()
            .openapi({ description: '`curve`: not sold yet. `pool`: what the pool trades' }),
        })
        .openapi('Holder', { description: 'A wallet and what it holds of a token' }),
    ),
    total: wholeSchema('The same as `people`'),
    people: wholeSchema('Wallets that hold any, without the curve and the pool').openapi({ example: 7 }),
    slot: wholeSchema('As of which they were read'),
  })
  .openapi('Holders', { description: 'The largest holders of a token, as the node tells' });

const position = z
  .object({
    mint: addressSchema("the token's address"),
    name: z.string(),
    symbol: z.string(),
    image: nullableText,
    venue: z.enum(VENUES),
    amount: decimal(
      'Token units that the wallet holds on chain; null when the node does not answer',
    ).nullable(),
    traded: signedDecimal('Token units bought less those sold'),
    untraded: signedDecimal(
      'Token units that came without a trade, or that left without one when negative. Their cost is unknown and counts as 0. ' +
        'Null when the node does not answer',
    ).nullable(),
    value: decimal(
      'Lamports that a sale of all pays now, after fees; null while the token does not trade, and when the node does not answer',
    ).nullable(),
    paid: decimal('Lamports, fees and all'),
    received: decimal('Lamports, after fees'),
    profit: signedDecimal('Lamports: value and received less paid; null without a value').nullable(),
  })
  .openapi('Position', { description: 'What a wallet holds of a token, and what it paid and got for it' });

export const walletAnswer = z
  .object({
    tokens: z.array(position).openapi({ description: 'At most 200, those worth the most first' }),
    created: z.array(tokenSummary).openapi({ description: 'The newest 100' }),
  })
  .openapi('Wallet', { description: 'What a wallet holds and has created' });
/** As many bytes as the program takes, and room for a form that is not finished. */
const LONGEST_NAMED = 128;
const named = (what: string) =>
  z
    .string()
    .max(LONGEST_NAMED)
    .optional()
    .openapi({ description: `${what}, as it would be launched` });
export const namesQuery = z.object({ name: named('A name'), symbol: named('A symbol') });

const same = (what: string) =>
  wholeSchema(`Tokens with this ${what}, or one that looks the same; at most ${MOST_SAME}`);
export const sameNames = z
  .object({ names: same('name'), symbols: same('symbol') })
  .openapi('SameNames', { description: 'How many other tokens have a name or a symbol' });

export const tokenAnswer = z
  .object({
    ...summaryFields,
    uri: z.string().openapi({ description: "Of the token's metadata, as its creator gave it" }),
    description: nullableText,
    links: z.object(ofEachLink(nullableText)).openapi({ description: "The creator's own claims" }),
    metadata: z
      .object({
        fetched: z.boolean().openapi({ description: 'Whether the service has tried to read the uri' }),
        problem: nullableText.openapi({ description: 'Why the document, its image or the copy is missing' }),
        retryAt: wholeSchema(
          "When the service fetches it again: Unix seconds of the service's clock; null when nothing is missing",
        ).nullable(),
      })
      .openapi({ description: "For the creator: what became of the token's uri" }),
    same: sameNames,
    afterMigrationFeeBps: wholeSchema(),
    burnBps: wholeSchema(),
    holdersBps: wholeSchema(),
    lpBps: wholeSchema(),
    fees: decimal('Lamports of platform fees so far'),
    creatorBought: decimal('Token units that the creator has bought, on the curve and in the pool').openapi({
      example: '17000000000000',
    }),
    creatorSold: decimal('Token units that the creator has sold, on the curve and in the pool').openapi({
      example: '0',
    }),
    launchSlotBought: decimal(
      "Token units that anybody has bought on the curve in the slot of the token's creation, the creator's first buy included",
    ).openapi({ example: '40000000000000' }),
    feeShare,
    migration: z
      .object({
        signature: signatureSchema('the transaction'),
        timestamp: unixSeconds('When'),
        pool: nullableText.openapi({
          description: 'Address of the pool; null when the chain does not say it',
        }),
        url: nullableText.openapi({ description: 'Page of the AMM where people trade the pool; on mainnet' }),
      })
      .nullable(),
  })
  .openapi('TokenDetail', { description: 'A token as its own page shows it' });

export const configAnswer = z
  .object({
    serviceName: z.string(),
    chain: z.string().openapi({ description: 'As Wallet Standard names it', example: 'solana:localnet' }),
    deployment: deploymentSchema,
    rpcUrl: nullableText.openapi({
      description:
        'RPC node for the launchpad’s own page (`WEB_RPC_URL`). Other clients use that of `/v1/launchpad`. Null: `POST /rpc` here',
    }),
    wsUrl: nullableText,
    platformFeeBps: wholeSchema(),
    creatorShareBps: wholeSchema(
      "The creator's share of the platform fee of each trade; 0 when there is none",
    ),
    initialVirtualSol: decimal('Lamports: with which a curve begins today'),
    initialVirtualToken: decimal('Token units'),
    graduationVirtualToken: decimal('Token units at which a curve graduates'),
    supply: decimal('Token units of every token'),
    solUsd: nullableText.openapi({
      description: 'What a SOL is worth in USD; null when unknown',
      example: '142.07',
    }),
    solUsdAt: wholeSchema(
      'When it was worth that: Unix seconds as the source of the price says, else of the reading; null without a price',
    )
      .nullable()
      .openapi({ example: 1_795_900_000 }),
    solUsdAge: wholeSchema('Seconds since then, at the time of the answer; null without a price')
      .nullable()
      .openapi({ example: 12 }),
    graduation: z.enum(['pool', 'key']).openapi({
      description:
        'Who takes a sold-out curve away. `pool`: a program without a key, into a pool whose liquidity it burns. `key`: the holder of ' +
        'the fee receiver’s key',
      example: 'pool',
    }),
    faucet: z.boolean(),
    uploads: z.boolean(),
    explorer: nullableText.openapi({
      description: 'URL of an explorer, in which `{path}` stands for `tx/SIGNATURE` or `address/ADDRESS`',
    }),
    clusterTime: unixSeconds('Now'),
  })
  .openapi('MarketConfig', { description: 'What a page has to know of the service and its cluster' });
