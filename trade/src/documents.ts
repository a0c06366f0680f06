// What each command prints with `--json`, one line each. A field that was printed once is never taken away within a version.
import { z } from 'zod';

/** Raised when a document changes in another way than by a new field. */
export const DOCUMENTS_VERSION = 1;

const whole = (what: string) =>
  z
    .string()
    .regex(/^-?\d+$/)
    .describe(`${what}, a whole number as text`);
const lamports = whole('lamports (0.000000001 SOL)');
const units = whole('token base units (0.000001 of a token)');
const mint = z.string().describe("the token's address, base58");
const signature = z.string().describe('signature of the transaction, base58');
const side = z.enum(['buy', 'sell']);
const venue = z.enum(['curve', 'graduating', 'pool', 'unknown']);
const price = z.strictObject({ lamports, tokenUnits: units });
const slot = z.int();

const error = z.strictObject({
  error: z.strictObject({
    name: z.string(),
    code: z
      .union([z.string(), z.number()])
      .optional()
      .describe('never changes; the README of @curvekit/sdk lists them'),
    message: z.string(),
    argument: z.string().optional(),
    signature: z.string().optional(),
  }),
});

const simulated = {
  simulated: z.literal(true),
  mint,
  walletChange: lamports.describe("change of the wallet's lamports, fees and rents included"),
  tokenChange: units,
  computeUnits: z.int(),
};
const reward = {
  mint,
  symbol: z.string(),
  claimType: z.enum(['SOL', 'TOKEN']),
  unclaimed: whole('lamports or token units'),
};
const traded = {
  ...{
    signature,
    slot,
    side,
    venue,
    solAmount: lamports,
    tokenAmount: units,
    platformFee: lamports,
    networkFee: lamports,
  },
  ...{ mint, walletChange: lamports, price },
};
const entry = z.looseObject({
  kind: z.enum(['create', 'trade', 'migrate', 'graduate']),
  mint,
  timestamp: whole('Unix seconds').nullable(),
  signature,
  slot,
});
const summary = {
  ...{
    mint,
    name: z.string(),
    symbol: z.string(),
    creator: z.string(),
    status: z.enum(['trading', 'graduated', 'migrated']),
    venue,
  },
  marketCap: lamports,
  progressBps: z.int().describe('towards graduation, in basis points'),
  volume24h: lamports,
  trades: z.int(),
};

/** By command; a simulation of `buy` and `sell` is `simulation`. */
export const DOCUMENTS = {
  quote: z.strictObject({
    ...{ side, mint, venue, solAmount: lamports, tokenAmount: units, fee: lamports },
    minTokenToReceive: units.optional(),
    maxSolToSpend: lamports.optional(),
    minSolToReceive: lamports.optional(),
    maxTokenToSpend: units.optional(),
    priceBefore: price,
    priceAfter: price,
    priceImpactBps: z.int(),
  }),
  simulation: z.strictObject({ side, ...simulated }),
  buy: z.strictObject(traded),
  sell: z.strictObject(traded),
  launch: z.union([
    z.strictObject({
      ...{ signature, slot, mint, uri: z.string(), networkFee: lamports, walletChange: lamports },
      firstBuy: z.strictObject({ solAmount: lamports, tokenAmount: units, platformFee: lamports }).nullable(),
    }),
    z.strictObject(simulated),
  ]),
  find: z.strictObject(summary),
  token: z.strictObject({
    ...summary,
    ...{
      description: z.string().nullable(),
      fees: lamports,
      creatorBought: units,
      creatorSold: units,
      launchSlotBought: units,
    },
    sameNames: z.int().describe('tokens with this name, or one that looks the same'),
    sameSymbols: z.int().describe('tokens with this symbol, or one that looks the same'),
    feeShare: z.strictObject({
      bps: z.int().describe("the creator's share of each fee, in basis points"),
      kind: z.enum(['creator', 'split', 'traders']),
    }),
  }),
  portfolio: z.strictObject({
    wallet: z.string(),
    lamports,
    saleValue: lamports,
    holdings: z.array(
      z.strictObject({
        ...{ mint, tokenAmount: units, venue, saleValue: lamports.nullable(), paid: lamports.nullable() },
        ...{ received: lamports.nullable(), untraded: units.nullable(), profit: lamports.nullable() },
      }),
    ),
  }),
  history: entry,
  watch: entry,
  claim: z.union([
    z.strictObject({
      ...reward,
      burned: z.boolean(),
      networkFee: lamports,
      signature,
      amount: whole('lamports or token units'),
    }),
    z.strictObject({ ...reward, simulated: z.literal(true) }),
    z.strictObject({ ...reward, ...error.shape }),
  ]),
  error,
} as const satisfies Readonly<Record<string, z.ZodType>>;

export function documentSchemas(): object {
  const schemas = Object.entries(DOCUMENTS).map(([name, schema]) => {
    const { $schema: _, ...own } = z.toJSONSchema(schema);
    return [name, own] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What curvekit-trade prints with --json',
    version: DOCUMENTS_VERSION,
    $defs: Object.fromEntries(schemas),
  };
}
