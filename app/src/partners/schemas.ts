// Request and response schemas of the Partner API.
import { addressSchema, amountSchema, cursorSchema, pageLimit, signatureSchema } from '../http/schemas.js';
import { signedMessage, walletSchema } from '../http/wallet-schemas.js';
import { z } from '../http/zod.js';
import { decodeCursor, DEFAULT_PAGE, LARGEST_PAGE } from './user-repository.js';

const NONCE_PATTERN = '^[0-9a-f]{32}$';
const NONCE_EXAMPLE = '9b2f7c1d54e0a86f3c0d9e1b7a45f210';

export const versionAnswer = z.object({ version: z.literal('v1') }).openapi('PartnerVersion');

export const messageAnswer = z
  .object({
    message: z.string().openapi({
      description: 'What the user signs, as UTF-8: names the service, the partner, the nonce and its expiry',
    }),
    nonce: z.string().openapi({
      description: 'To send with the signature, once, within 10 minutes',
      example: NONCE_EXAMPLE,
    }),
  })
  .openapi('RegistrationMessage', { description: 'The message that a user signs to be registered' });

export const registerBody = z
  .strictObject({
    publicKey: walletSchema("the user's wallet"),
    signature: signatureSchema("the user's ed25519 signature of the message"),
    nonce: z
      .string()
      .regex(new RegExp(NONCE_PATTERN), {
        error: 'must be the nonce that came with the message: 32 hex digits in small letters',
      })
      .openapi({ description: 'The nonce that came with the message', example: NONCE_EXAMPLE }),
    signedMessage,
  })
  .openapi('UserRegistration');

export const registerAnswer = z
  .object({
    status: z.literal(200).openapi({ type: 'integer', format: 'int32', enum: [200] }),
    success: z.literal(true),
  })
  .openapi('UserRegistered');

export const usersQuery = z.object({
  cursor: cursorSchema(
    decodeCursor,
    'the nextCursor of an earlier answer',
    'The `nextCursor` of the page before; the first page without it',
  ),
  limit: pageLimit('Users', LARGEST_PAGE, DEFAULT_PAGE),
});

const volumeSol = amountSchema('Lamports that the finalized trades since registration paid and received');
const feesSol = amountSchema('Lamports of platform fees of these trades');
const rewardSol = amountSchema(
  "Lamports of referral rewards of these trades, for the partner's payout wallet",
);

export const userParams = z.strictObject({ publicKey: addressSchema("the user's wallet") });

export const userAnswer = z
  .object({
    publicKey: addressSchema("the user's wallet"),
    registeredAt: z.iso.datetime().openapi({ description: 'When the user was registered, UTC' }),
    volumeSol,
    feesSol,
    rewardSol,
  })
  .openapi('PartnerUser', { description: 'A registered user, with totals of the finalized trades since' });

export const usersAnswer = z
  .object({
    users: z.array(userAnswer),
    nextCursor: z
      .string()
      .nullable()
      .openapi({ description: 'Where the next page begins; null on the last' }),
  })
  .openapi('PartnerUsers');

export const statsAnswer = z
  .object({
    users: amountSchema('Registered users'),
    trades: amountSchema('Their finalized trades since registration'),
    volumeSol,
    feesSol,
    rewardSol,
  })
  .openapi('PartnerStats', {
    description: 'What the users of a partner have traded, and what the partner earns',
  });
