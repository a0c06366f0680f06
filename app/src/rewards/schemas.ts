// What the Rewards Claiming API takes and answers.
import { CLAIM_STATES } from '../db/schema/index.js';
import { addressSchema, amountSchema, signatureSchema } from '../http/schemas.js';
import { z } from '../http/zod.js';
import { successSchema } from '../http/envelope.js';
import { decodeCursor, LARGEST_PAGE } from './pages.js';

const amounts = z
  .strictObject({
    sol: amountSchema('Lamports'),
    solUi: z.string().openapi({ description: 'The same in SOL', example: '1.5' }),
    token: amountSchema('Smallest units of the token'),
    tokenUi: z.string().openapi({ description: 'The same in tokens', example: '250' }),
  })
  .openapi('Amounts');

const tokenInfo = z
  .strictObject({
    address: addressSchema("the token's address"),
    symbol: z.string(),
    name: z.string(),
    image: z.string().openapi({ description: 'URL; empty when there is none' }),
    price: z.number().min(0).openapi({
      description: 'Of one token: in USD where the service has a source for it, else in SOL; 0 when unknown',
    }),
  })
  .openapi('TokenInfo');

const tokenRewards = { unclaimedRewards: amounts, allTimeRewards: amounts };

export const allRewards = successSchema(
  z.array(z.strictObject({ ...tokenRewards, tokenInfo }).openapi('RewardEntry')),
);
export const rewardsOfToken = successSchema(z.strictObject(tokenRewards));
export const claimStatus = successSchema(
  z.strictObject({ status: z.enum(CLAIM_STATES), message: z.string() }).openapi('ClaimStatus'),
);
export const initiatedClaim = successSchema(
  z.strictObject({
    tx: z.string().openapi({
      format: 'byte',
      description:
        'Version 0 transaction in Base64, signed by the treasury; its first signature is the id of the claim',
    }),
  }),
);

export const walletParams = z.strictObject({ address: addressSchema('a wallet address') });
export const tokenParams = walletParams.extend({ tokenAddress: addressSchema('a token address') });
export const claimParams = z.strictObject({
  signature: signatureSchema('the signature of a claim transaction'),
});

export const pageQuery = z.object({
  cursor: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return undefined;
      const mint = decodeCursor(text);
      if (mint !== undefined) return mint;
      context.addIssue({
        code: 'custom',
        message: 'must be the cursor of the Link header of an earlier answer',
      });
      return z.NEVER;
    })
    .openapi({
      type: 'string',
      description: 'From the `Link` header of the page before; the first page without it',
    }),
  limit: z
    .string()
    .default(String(LARGEST_PAGE))
    .transform((text, context) => {
      const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
      if (limit >= 1 && limit <= LARGEST_PAGE) return limit;
      context.addIssue({ code: 'custom', message: `must be a whole number from 1 to ${LARGEST_PAGE}` });
      return z.NEVER;
    })
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: LARGEST_PAGE,
      default: LARGEST_PAGE,
      description: 'Tokens of one page',
    }),
});

/** What can be claimed. */
export const claimAsset = z.enum(['SOL', 'TOKEN']);

export const claimRequest = z
  .strictObject({
    tokenAddress: addressSchema('a token address'),
    // Another word is no malformed request but a claim that cannot be: CLAIM_ERROR.
    claimType: z.string().openapi({
      enum: claimAsset.options,
      description: '`SOL` pays the native coin, `TOKEN` the token itself',
    }),
    burnToken: z
      .boolean()
      .default(false)
      .openapi({ description: 'Burns the claimed tokens instead of keeping them; not for `SOL`' }),
  })
  .openapi('ClaimRequest');

/** In small letters, as Node gives them. Guards see to the signature's own headers. */
export const signatureHeaders = z.object({
  'x-signature-scheme': z
    .enum(['bound'])
    .optional()
    .openapi({
      description:
        'Without it, X-Signature signs the timestamp. With `bound` it signs ' +
        '`timestamp\\nMETHOD\\npath\\nhex(sha256(body))` and fits that one request only.',
    }),
});
export const claimHeaders = signatureHeaders.extend({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
    .optional()
    .openapi({
      description: 'The same key and body get the same answer for 24 hours; another body is refused with 422',
    }),
});
