// Request and response schemas of fee shares.
import { z } from '../../http/zod.js';
import { addressSchema, signatureSchema, wholeSchema } from '../../http/schemas.js';
import { signedMessage, walletSchema } from '../../http/wallet-schemas.js';
import type { ErrorCase } from '../../http/route.js';

const KINDS = ['creator', 'split', 'traders'] as const;
const [FEWEST, MOST] = [2, 10];
const ALL_BPS = 10_000;

export const OTHER_SIGNATURE: ErrorCase = {
  status: 401,
  code: 'INVALID_SIGNATURE',
  description:
    "The signature is not the creator's over the line for this mint, this choice and this slot, of this program and chain",
};
export const CHOSEN: ErrorCase = {
  status: 409,
  code: 'FEE_SHARE_CHOSEN',
  description: 'The creator has chosen already, and a choice cannot be changed',
};
export const TOO_LATE: ErrorCase = {
  status: 409,
  code: 'FEE_SHARE_TOO_LATE',
  description:
    'Somebody has traded the token already: the creator earns its share, and that cannot be changed',
};

const part = z.strictObject({
  wallet: walletSchema('a wallet that earns'),
  bps: z
    .int({ error: 'must be a whole number of basis points' })
    .min(1, { error: 'must be at least 1 basis point' })
    .max(ALL_BPS - 1, { error: 'must be at most 9999 basis points' })
    .openapi({ description: 'Its part in basis points' }),
});

export const choiceBody = z
  .strictObject({
    creator: walletSchema("the token's creator, who signs"),
    kind: z
      .enum(KINDS)
      .openapi({ description: 'Who earns: the creator, the `wallets`, or each trader from its own trades' }),
    wallets: z
      .array(part)
      .optional()
      .openapi({
        description: `Of a \`split\`: from ${FEWEST} to ${MOST}, each once; their parts sum to ${ALL_BPS}`,
      }),
    slot: wholeSchema('A slot of the last two minutes. The choice counts for trades of later slots'),
    signature: signatureSchema(
      "the creator's ed25519 signature of the line that `feeShareMessage` of the SDK makes",
    ),
    signedMessage,
  })
  .check(({ value: { kind, wallets }, issues }) => {
    const refuse = (message: string) =>
      issues.push({ code: 'custom', path: ['wallets'], message, input: wallets });
    if (kind !== 'split') {
      if (wallets !== undefined) refuse('must be left out unless kind is split');
      return;
    }
    if (wallets === undefined || wallets.length < FEWEST || wallets.length > MOST)
      return void refuse(`must name from ${FEWEST} to ${MOST} wallets for a split`);
    if (new Set(wallets.map((one) => one.wallet)).size < wallets.length) refuse('must name each wallet once');
    const sum = wallets.reduce((total, { bps }) => total + bps, 0);
    if (sum !== ALL_BPS) refuse(`must have parts that sum to ${ALL_BPS} basis points, not to ${sum}`);
  })
  .openapi('FeeShareChoice');

export type Choice = z.output<typeof choiceBody>;

export const feeShare = z
  .object({
    bps: wholeSchema(
      "The creator's share of the platform fee of each trade, in basis points; 0 when there is none",
    ),
    kind: z.enum(KINDS).openapi({ description: 'Who earns it' }),
    wallets: z.array(
      z.object({
        wallet: addressSchema('a wallet that earns'),
        bps: wholeSchema('Its part in basis points'),
      }),
    ),
    choice: z
      .object({
        slot: wholeSchema('It counts for trades of later slots'),
        message: z.string(),
        signed: z
          .string()
          .openapi({ description: 'Base64 of the signed bytes: the message, or an envelope with it' }),
        signature: signatureSchema("the creator's signature of them"),
      })
      .nullable()
      .openapi({
        description: 'What the creator signed, for everybody to verify; null when it chose nothing',
      }),
  })
  .openapi('FeeShare', { description: "Who earns the creator's share of the fees" });
