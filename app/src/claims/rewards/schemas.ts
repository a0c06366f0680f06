// Request and response schemas of the Rewards Claiming API.
import { addressSchema, amountSchema, cursorSchema, pageLimit } from '../../http/schemas.js';
import { z } from '../../http/zod.js';
import { successSchema } from '../../http/error-shapes.js';
import { decodeCursor, LARGEST_PAGE } from './rewards-repository.js';

export { signatureHeaders, tokenParams, walletParams } from '../../http/wallet-schemas.js';

const amounts = z
  .object({
    sol: amountSchema('Lamports'),
    solUi: z.string().openapi({ description: 'The same in SOL', example: '1.5' }),
    token: amountSchema('Smallest units of the token'),
    tokenUi: z.string().openapi({ description: 'The same in tokens', example: '250' }),
  })
  .openapi('Amounts');

const tokenInfo = z
  .object({
    address: addressSchema("the token's address"),
    symbol: z.string(),
    name: z.string(),
    image: z.string().openapi({ description: 'URL; empty when there is none' }),
    price: z.number().min(0).openapi({
      format: 'double',
      description: 'Of one token: in USD where the service has a source for it, else in SOL; 0 when unknown',
    }),
  })
  .openapi('TokenInfo');

const tokenRewards = { unclaimedRewards: amounts, allTimeRewards: amounts };

export const allRewards = successSchema(
  z.array(z.object({ ...tokenRewards, tokenInfo }).openapi('RewardEntry')),
);
export const rewardsOfToken = successSchema(z.object(tokenRewards));
export const pageQuery = z.object({
  cursor: cursorSchema(
    decodeCursor,
    'the cursor of the Link header of an earlier answer',
    'From the `Link` header of the page before; the first page without it',
  ),
  limit: pageLimit('Tokens', LARGEST_PAGE, LARGEST_PAGE),
});
