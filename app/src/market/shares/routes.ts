// `POST /v1/market/fee-shares/{mint}`
import type { Api } from '../../http/api.js';
import { envelopeErrors } from '../../http/error-shapes.js';
import { defineRoute } from '../../http/route.js';
import { z } from '../../http/zod.js';
import { mintParams } from '../schemas.js';
import { keepChoice, type ChoiceParts } from './choice.js';
import { choiceBody, CHOSEN, OTHER_SIGNATURE, TOO_LATE } from './schemas.js';

export function feeSharesApi(parts: ChoiceParts): Api {
  return {
    name: 'fee shares',
    description: "Creators choose who earns their share of a token's fees",
    prefix: '/v1/market/fee-shares',
    errors: envelopeErrors,
    routes: [
      defineRoute({
        method: 'post',
        path: '/v1/market/fee-shares/{mint}',
        operationId: 'chooseFeeShare',
        summary: "Choose who earns the creator's share of a token's fees",
        description:
          'Once, before the launch or before anybody else has traded, and it cannot be changed. Without a choice the creator earns it. The same choice again succeeds.',
        params: mintParams,
        body: choiceBody,
        answer: z.object({ chosen: z.literal(true) }).openapi('FeeShareChosen'),
        answerDescription: 'It is kept, and public with the token',
        errors: [OTHER_SIGNATURE, CHOSEN, TOO_LATE],
        handler: async ({ params: { mint }, body }) => {
          await keepChoice(parts, mint, body);
          return { chosen: true as const };
        },
      }),
    ],
  };
}
