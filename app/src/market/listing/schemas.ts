// Requests and answers of the contracts of aggregators. Amounts are decimal text of whole SOL and tokens, never with an exponent.
import { addressSchema, readWhole, signatureSchema, wholeSchema } from '../../http/schemas.js';
import { z } from '../../http/zod.js';
import { MOST_BLOCKS, MOST_EVENTS } from './events.js';
import { decimal } from '../schemas.js';

const LARGEST = 999_999_999_999;
const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const CURVE = '8psNvWTrdNTiVRNzAgsou9kETXNJm2SXZyaKuJraVRtf';

/** A whole number in a query. */
const whole = (description: string, { least = 0, largest = LARGEST, example = 329_041_217 } = {}) =>
  z
    .string()
    .transform(readWhole({ digits: 12, least, largest }))
    .openapi({ type: 'integer', format: 'int64', minimum: least, maximum: largest, description, example });

const amount = (description: string, example = '1.5') =>
  z.string().openapi({ description, pattern: '^\\d+\\.\\d+$', example });
const index = (description: string) =>
  z.int().openapi({ format: 'int32', minimum: 0, maximum: 2 ** 31 - 1, description, example: 0 });

export const idQuery = z.object({ id: addressSchema('the address') });
export const rangeQuery = z.object({
  fromBlock: whole('The first slot'),
  toBlock: whole(
    `The last slot: at most ${MOST_BLOCKS} after the first, and not after that of latest-block. More than ${MOST_EVENTS} events of several slots are refused`,
  ),
});
export const blockQuery = z.object({
  number: whole('A slot; this or `timestamp`').optional(),
  timestamp: whole('The newest block with a trade at or before this time, in Unix seconds', {
    example: 1_795_900_000,
  }).optional(),
});
export const holdersQuery = z.object({
  id: addressSchema("a token's address"),
  page: whole('From 0', { largest: 9, example: 0 }).optional(),
  pageSize: whole('Holders of a page; 10 without it', { least: 10, largest: 50, example: 10 }).optional(),
});

const block = z
  .object({
    blockNumber: wholeSchema('The slot').openapi({ example: 329_041_217 }),
    blockTimestamp: wholeSchema('Unix seconds').openapi({ example: 1_795_900_000 }),
  })
  .openapi('ListedBlock');
export const blockAnswer = z.object({ block });

export const assetAnswer = z.object({
  asset: z
    .object({
      id: addressSchema('the mint'),
      name: z.string().openapi({ minLength: 1, example: 'Curvy' }),
      symbol: z.string().openapi({ minLength: 1, example: 'CURVY' }),
      decimals: z.int().openapi({ format: 'int32', example: 6 }),
      totalSupply: amount('All tokens that there are', '1000000000.0'),
      circulatingSupply: amount(
        'The same: market caps of a launchpad are of the whole supply',
        '1000000000.0',
      ),
    })
    .openapi('ListedAsset'),
});

const pairFields = {
  id: addressSchema('the curve or pool').openapi({ example: CURVE }),
  asset0Id: addressSchema('the mint'),
  asset1Id: addressSchema('wrapped SOL'),
  createdAtBlockNumber: wholeSchema().openapi({ example: 329_041_217 }),
  createdAtBlockTimestamp: wholeSchema().openapi({ example: 1_795_900_000 }),
  createdAtTxnId: signatureSchema('the transaction'),
  creator: addressSchema("the creator's wallet").openapi({ example: WALLET }),
  feeBps: wholeSchema('Of a curve').openapi({ example: 100 }).optional(),
};
export const screenerPairAnswer = z.object({
  pair: z
    .object({ ...pairFields, dexKey: z.string().openapi({ example: 'curvekit' }) })
    .openapi('DexScreenerPair'),
});
export const toolsPairAnswer = z.object({
  pair: z.object({ ...pairFields, factoryAddress: addressSchema('the program') }).openapi('DexToolsPair'),
});

const eventFields = {
  block,
  txnId: signatureSchema('the transaction'),
  txnIndex: index("Of the transaction among the launchpad's in its block"),
  eventIndex: index('Of the event in its block: rises, each once'),
  maker: addressSchema('the wallet: who trades, creates, or gets the liquidity').openapi({ example: WALLET }),
  pairId: addressSchema('the curve or pool').openapi({ example: CURVE }),
  asset0In: amount('A sale: tokens').optional(),
  asset1Out: amount('A sale: SOL that the seller got, after fees').optional(),
  asset1In: amount('A buy: SOL that the buyer paid, fees and all').optional(),
  asset0Out: amount('A buy: tokens').optional(),
  priceNative: amount(
    'A trade: SOL of one token afterwards. Never 0',
    '0.000000041952000000000000',
  ).optional(),
  amount0: amount('A migration: tokens that left the curve').optional(),
  amount1: amount('A migration: SOL that left the curve').optional(),
  reserves: z
    .object({ asset0: amount('Tokens'), asset1: amount('SOL') })
    .openapi({ description: 'What the curve really holds afterwards, or what the pool trades with' }),
};
/** An event of all others but these types, with the same numbers in both contracts. */
const eventsOf = (name: string, types: readonly ['swap', ...string[]]) =>
  z.object({
    events: z
      .array(
        z.object({ ...eventFields, eventType: z.enum(types).openapi({ example: 'swap' }) }).openapi(name),
      )
      .openapi({ description: 'In the order of the chain' }),
  });
export const screenerEventsAnswer = eventsOf('DexScreenerEvent', ['swap', 'join', 'exit']);
export const toolsEventsAnswer = eventsOf('DexToolsEvent', ['swap', 'join', 'exit', 'creation']);

export const exchangeAnswer = z.object({
  exchange: z
    .object({
      factoryAddress: addressSchema('the program'),
      name: z.string().openapi({ example: 'Curvekit' }),
    })
    .openapi('DexToolsExchange'),
});
export const holdersAnswer = z.object({
  asset: z
    .object({
      id: addressSchema('the mint'),
      totalHoldersCount: wholeSchema('Wallets that hold any, without the curve and the pool').openapi({
        example: 7,
      }),
      holders: z
        .array(
          z.object({
            address: addressSchema('the owner').openapi({ example: WALLET }),
            quantity: amount('Tokens'),
          }),
        )
        .openapi({ description: 'Largest first, of the largest hundred' }),
    })
    .openapi('DexToolsHolders'),
});

export const totalsQuery = z.object({
  day: z
    .string()
    .transform((text, context) => {
      const start = Date.parse(`${text}T00:00:00Z`);
      if (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(start).toJSON()?.startsWith(text))
        return start / 1_000;
      context.addIssue({ code: 'custom', message: 'must be a day as 2026-11-29' });
      return z.NEVER;
    })
    .openapi({
      type: 'string',
      format: 'date',
      description: 'A day that is over, in UTC',
      example: '2026-11-28',
    }),
});
export const totalsAnswer = z
  .object({
    volume: decimal('Lamports that traders paid and received, fees and all'),
    fees: decimal('Lamports of platform fees'),
    revenue: decimal(
      'Lamports of these that go to the fee receiver, which pays rewards of referrals from them: all',
    ),
    tvl: decimal('Lamports in the curves at the end of the day'),
    trades: wholeSchema().openapi({ example: 1_204 }),
    tokensLaunched: wholeSchema().openapi({ example: 31 }),
    tokensGraduated: wholeSchema('Curves that sold out').openapi({ example: 2 }),
  })
  .openapi('DayTotals', {
    description: 'What happened on the curves in a day. Trades in pools are not counted',
  });
