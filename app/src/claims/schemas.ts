// Request and response schemas of the claim endpoints.
import { CLAIM_STATES } from '../db/schema/values.js';
import { successSchema } from '../http/error-shapes.js';
import { addressSchema, signatureSchema } from '../http/schemas.js';
import { signatureHeaders } from '../http/wallet-schemas.js';
import { z } from '../http/zod.js';

export { walletParams } from '../http/wallet-schemas.js';

export const claimStatus = successSchema(
  z.object({ status: z.enum(CLAIM_STATES), message: z.string() }).openapi('ClaimStatus'),
);
export const initiatedClaim = successSchema(
  z.object({
    tx: z.string().openapi({
      format: 'byte',
      description:
        'Version 0 transaction in Base64, signed by the treasury; its first signature is the id of the claim',
    }),
  }),
);

export const claimParams = z.strictObject({
  signature: signatureSchema('the signature of a claim transaction'),
});

export const claimAsset = z.enum(['SOL', 'TOKEN']);

export const claimRequest = z
  .strictObject({
    tokenAddress: addressSchema('a token address'),
    // Any other value is answered with CLAIM_ERROR, not with VALIDATION_ERROR.
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

export const claimHeaders = signatureHeaders.extend({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
    .optional()
    .openapi({
      description: 'The same key and body get the same answer for 24 hours; another body is refused with 422',
    }),
});
