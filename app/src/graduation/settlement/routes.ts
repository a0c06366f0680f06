// Public routes of settlements: anyone can check which sampling times decided the holders' parts.
import type { Context } from '../../context.js';
import type { Api } from '../../http/api.js';
import { envelopeErrors, TOKEN_NOT_FOUND, noToken, success } from '../../http/error-shapes.js';
import { defineRoute } from '../../http/route.js';
import { publicSettlements } from './periods/view.js';
import { settlementsAnswer, settlementsParams, settlementsQuery } from './schemas.js';

export function settlementsApi({ database }: Pick<Context, 'database'>): Api {
  return {
    name: 'settlements',
    description: "How tokens' community storages were settled, and by which samples of their holders",
    prefix: '/settlements',
    errors: envelopeErrors,
    routes: [
      defineRoute({
        method: 'get',
        path: '/settlements/{mint}',
        operationId: 'getSettlements',
        summary: 'Settlements of a token, newest first',
        description:
          'The seed is published as its hash when a period begins, and itself when it is over. It decides the moments: sample ' +
          '`index` is due at `startedAt + (index + u) · periodMs / samples`, where `u` is the first 48 bits of ' +
          'HMAC-SHA256(seed, index in decimal ASCII), divided by 2^48. A wallet receives in proportion to its mean balance ' +
          'over the samples.',
        params: settlementsParams,
        query: settlementsQuery,
        answer: settlementsAnswer,
        answerDescription: 'The settlements',
        errors: [TOKEN_NOT_FOUND],
        handler: async ({ params: { mint }, query }) => {
          const found = await publicSettlements(database.queries, mint, query);
          if (found === undefined) throw noToken();
          return success(found);
        },
      }),
    ],
  };
}
