// Schemas shared by requests that a wallet signs.
import { addressSchema } from './schemas.js';
import { canSign } from './wallet-auth.js';
import { z } from './zod.js';

export const walletParams = z.strictObject({ address: addressSchema('a wallet address') });
export const tokenParams = walletParams.extend({ tokenAddress: addressSchema('a token address') });

/** The address of a wallet, for which somebody can sign. */
export const walletSchema = (what: string) =>
  addressSchema(what).refine(canSign, {
    error: 'must be a wallet that can sign: no key signs for this address',
  });

/** For wallets that do not sign the text as it is. */
const SIGNED_MESSAGE = {
  description:
    'Base64 of the bytes that the wallet has signed, when they are the text in an off-chain message envelope of version 0, as ' +
    "hardware wallets sign it. Needed only for envelopes with an application's domain.",
};

export const signedMessageHeader = z.string().optional().openapi(SIGNED_MESSAGE);

/** As a field of a body. */
export const signedMessage = z
  .string()
  .regex(/^[A-Za-z0-9+/]{1,4096}={0,2}$/, { error: 'must be base64 of at most 4,096 characters' })
  .optional()
  .openapi(SIGNED_MESSAGE);

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
  'x-signed-message': signedMessageHeader,
});
