// Schemas of the settlement routes.
import { SETTLEMENT_STATES } from '../../db/schema/index.js';
import { addressSchema, amountSchema, wholeSchema } from '../../http/schemas.js';
import { z } from '../../http/zod.js';
import { successSchema } from '../../http/error-shapes.js';

const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

const time = (description: string) => z.string().openapi({ format: 'date-time', description });
const hex32 = (description: string) =>
  z.string().openapi({ pattern: '^[0-9a-f]{64}$', description: `${description}. 32 bytes in hex` });

const sample = z
  .object({
    index: wholeSchema(
      'Which part of the period it is of, from 0; from `samples` on it makes up for a missed one',
    ),
    moment: time('When it was due: decided by the seed'),
    takenAt: time('When the RPC node was asked'),
    slot: wholeSchema('Finalized slot of the balances'),
  })
  .openapi('SettlementSample');

const parts = {
  taken: amountSchema('What was taken from the storage'),
  holders: amountSchema("The holders' part"),
  lp: amountSchema('The liquidity part'),
  creator: amountSchema("The creator's part"),
  creatorCredited: amountSchema("As much of the creator's part as is credited, to be claimed"),
};

const settlement = z
  .object({
    id: wholeSchema(),
    state: z.enum(SETTLEMENT_STATES).openapi({
      description:
        '`sampling`: the period runs; `planned`: the parts are fixed; `paid`: its wallets are being credited; `done`: they are; `failed`, `abandoned`: nothing moved',
    }),
    seedHash: hex32(
      'SHA-256 of the seed, published when the period begins; null when the token gives its holders nothing',
    ).nullable(),
    seed: hex32('The seed; null until the period is over').nullable(),
    startedAt: time('When the period began'),
    periodMs: wholeSchema('Length of the period in milliseconds'),
    samples: wholeSchema('How many times the holders are sampled'),
    taken: z.array(sample).openapi({ description: 'The samples; none until the period is over' }),
    holders: wholeSchema('Wallets that held the token in any sample'),
    sol: z.object(parts).openapi({ description: 'Lamports' }),
    token: z
      .object({ ...parts, burned: amountSchema('What was burned') })
      .openapi({ description: 'Smallest units of the token' }),
    signature: z.string().nullable().openapi({ description: 'Of the transaction that paid it, once `paid`' }),
  })
  .openapi('Settlement');

export const settlementsAnswer = successSchema(z.array(settlement));
export const settlementsParams = z.strictObject({ mint: addressSchema("a token's address") });

/** Largest `id`: fifteen digits. */
const LARGEST_ID = 999_999_999_999_999;

const number = (name: string, largest: number) => (text: string, context: z.RefinementCtx) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= largest) return value;
  context.addIssue({ code: 'custom', message: `${name} must be a whole number from 1 to ${largest}` });
  return z.NEVER;
};

export const settlementsQuery = z.strictObject({
  limit: z.string().default(String(DEFAULT_PAGE)).transform(number('limit', LARGEST_PAGE)).openapi({
    type: 'integer',
    minimum: 1,
    maximum: LARGEST_PAGE,
    default: DEFAULT_PAGE,
    description: 'Settlements of one page',
  }),
  before: z
    .string()
    .optional()
    .transform((text, context) =>
      text === undefined ? undefined : number('before', LARGEST_ID)(text, context),
    )
    .openapi({
      type: 'integer',
      format: 'int64',
      minimum: 1,
      maximum: LARGEST_ID,
      description: 'The `id` of the last settlement of the page before',
    }),
});
