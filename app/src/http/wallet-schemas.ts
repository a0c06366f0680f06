// Schemas shared by requests that a wallet signs.
import { addressSchema } from './schemas.js';
import { z } from './zod.js';

export const walletParams = z.strictObject({ address: addressSchema('a wallet address') });
export const tokenParams = walletParams.extend({ tokenAddress: addressSchema('a token address') });

/** In lower case, as Node provides them. The guards check the headers of the signature. */
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
