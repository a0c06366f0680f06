// Claims that the treasury's signer stores and pays: `curvekit signer --claims`. This process only asks for them.
import { z } from 'zod';
import { SignerError, type Signer } from '../keys/signer.js';
import { inTrace } from '../base/tracing/spans.js';
import type { PaysClaims } from './claims.js';
import { CLAIM_REFUSALS, ClaimRefusedError, NOTHING_CAN_BE_PAID } from './refusal.js';

/** The signer's answer: a transaction in Base64, or a refusal. */
export const claimAnswer = z.union([
  z.strictObject({ transaction: z.base64() }),
  z.strictObject({ refusal: z.enum(CLAIM_REFUSALS), message: z.string() }),
]);
export type ClaimAnswer = z.infer<typeof claimAnswer>;

export function remoteClaims(claim: NonNullable<Signer['claim']>): PaysClaims {
  return {
    async initiate(request) {
      const answer = await inTrace('claim by signer', { kind: 'client' }, () => claim(request)).catch(
        (cause: unknown) => {
          if (!(cause instanceof SignerError)) throw cause;
          throw new ClaimRefusedError('unavailable', NOTHING_CAN_BE_PAID, { cause });
        },
      );
      const read = claimAnswer.parse(answer);
      if ('transaction' in read) return read.transaction;
      throw new ClaimRefusedError(read.refusal, read.message);
    },
  };
}
