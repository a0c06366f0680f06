// Claims in the process that has the treasury's key. It pays what the ledger owes, and does not trust the process that asks.
import { z } from 'zod';
import { Claims, type ClaimRequest, type PaysClaims } from '../claims/claims.js';
import type { ClaimAnswer } from '../claims/remote-claims.js';
import { ClaimRefusedError } from '../claims/refusal.js';
import { ClaimsRepository, type NewClaim } from '../claims/repository.js';
import type { Context } from '../context.js';
import { addressSchema } from '../http/schemas.js';
import { Refusal } from './message.js';
import type { SpendingLimit } from './spending-limit.js';

/** `address`: of the treasury. */
const REQUEST = z.strictObject({
  address: z.string(),
  wallet: addressSchema('a wallet'),
  mint: addressSchema('a token address'),
  asset: z.enum(['SOL', 'TOKEN']),
  burn: z.boolean(),
  idempotencyKey: z.string().max(255).optional(),
});

/** @throws Refusal when it is no request for a claim */
export async function answerToClaim(claims: PaysClaims, body: unknown): Promise<ClaimAnswer> {
  const { success, data, error } = REQUEST.safeParse(body);
  if (!success) throw new Refusal(`it is no request for a claim: ${z.prettifyError(error)}`);
  const { wallet, mint, asset, burn, idempotencyKey } = data;
  const request: ClaimRequest = { wallet, mint, asset, burn, idempotencyKey };
  try {
    return { transaction: await claims.initiate(request) };
  } catch (cause) {
    if (!(cause instanceof ClaimRefusedError)) throw cause;
    return { refusal: cause.refusal, message: cause.message };
  }
}

/**
 * Claims that the limit counts as they are stored: what is not stored does not leave this process.
 *
 * @param watch gets each stored claim, and what takes it back from the limit
 */
export function claimsWithin(
  limit: SpendingLimit,
  context: Context,
  watch: (claim: NewClaim, takeBack: () => void) => void,
): PaysClaims {
  const { database } = context;
  const repository = new ClaimsRepository(database.on('payments'));
  return new Claims(context, {
    database: repository.database,
    duties: (mint) => repository.duties(mint),
    async store(claim, ...rest) {
      const takeBack = limit.take(lamportsOf(claim));
      const notStored = await repository.store(claim, ...rest);
      if (notStored === undefined) watch(claim, takeBack);
      else takeBack();
      return notStored;
    },
  });
}

/** Lamports that leave the treasury with the claim. A claim of SOL pays its own network fee. */
function lamportsOf({ asset, amount, networkFee, opensAccount, rent }: NewClaim): bigint {
  return asset === 'SOL' ? amount : networkFee + (opensAccount ? rent : 0n);
}
