// Claims that the treasury's signer stores and pays: `curvekit signer --claims`. This process only asks for them.
import { z } from 'zod';
import type { Signer } from '../keys/signer.js';
import { inTrace } from '../base/tracing/spans.js';
import type { PaysClaims } from './claims.js';
import { ClaimRefusedError, orUnavailable, REFUSALS, type ClaimRefusal } from './refusal.js';

/** The signer's answer: a transaction in Base64, or a refusal. */
export const claimAnswer = z.union([
  z.strictObject({ transaction: z.base64() }),
  z.strictObject({ refusal: z.enum(Object.keys(REFUSALS) as ClaimRefusal[]), message: z.string() }),
]);
export type ClaimAnswer = z.infer<typeof claimAnswer>;

export function remoteClaims(claim: NonNullable<Signer['claim']>): PaysClaims {
  return {
    async initiate(request) {
      const answer = await inTrace('claim by signer', { kind: 'client' }, () => claim(request)).catch(
        (cause: unknown) => {
          throw orUnavailable(cause);
        },
      );
      const read = claimAnswer.parse(answer);
      if ('transaction' in read) return read.transaction;
      throw new ClaimRefusedError(read.refusal, read.message);
    },
  };
}
