// Webhooks of a partner, as routes of the Partner API.
import type { Context } from '../context.js';
import { HttpProblem } from '../http/problem.js';
import type { RawRequest } from '../http/raw-request.js';
import { defineRoute, type ErrorCase, type Route } from '../http/route.js';
import {
  addEndpoint,
  listEndpoints,
  removeEndpoint,
  replay,
  rotateSecret,
  testEndpoint,
  WebhookError,
  type WebhookRefusal,
} from './endpoints.js';
import {
  addBody,
  addedAnswer,
  listAnswer,
  removedAnswer,
  replayAnswer,
  replayBody,
  rotateBody,
  rotatedAnswer,
  testAnswer,
  webhookParams,
} from './schemas.js';

const WEBHOOKS = '/v1/partner/webhooks';

interface Parts extends Pick<Context, 'config' | 'database'> {
  /** Authenticates the partner's key, and checks its scope. */
  readonly partnerWith: (
    scope: 'webhooks:write' | 'webhooks:read',
  ) => (request: RawRequest) => Promise<{ readonly partner: { readonly id: number } }>;
  /** What that can refuse. */
  readonly errors: readonly ErrorCase[];
}

export function webhookRoutes({ config, database, partnerWith, errors }: Parts): Route[] {
  const security = ['apiKey'];
  const write = { security, guard: partnerWith('webhooks:write') };
  const ofOne = { method: 'post', ...write, params: webhookParams } as const;
  return [
    defineRoute({
      method: 'get',
      path: WEBHOOKS,
      operationId: 'listWebhooks',
      summary: "The partner's webhooks, and what waits for them",
      description: 'Needs the scope `webhooks:read`.',
      security,
      answer: listAnswer,
      answerDescription: 'All webhooks, the oldest first',
      errors,
      guard: partnerWith('webhooks:read'),
      handler: async ({ identity: { partner } }) => ({
        webhooks: (await listEndpoints(database.queries, partner.id)).map(
          ({ partner: _name, ...webhook }) => webhook,
        ),
      }),
    }),
    defineRoute({
      method: 'post',
      path: WEBHOOKS,
      operationId: 'addWebhook',
      summary: "Have events of the partner's users sent to a server",
      description:
        'Events are signed as Standard Webhooks says (https://www.standardwebhooks.com): verify them with one of its libraries and the secret of ' +
        'the answer, which is shown this once. Needs the scope `webhooks:write`.',
      ...write,
      body: addBody(config?.isSimulated ?? false),
      answer: addedAnswer,
      answerDescription: 'The webhook is added and gets events from now on',
      errors: [...errors, REFUSALS.limit],
      handler: ({ identity: { partner }, body }) =>
        answering(() => addEndpoint(database, { partnerId: partner.id, url: body.url, types: body.types })),
    }),
    defineRoute({
      ...ofOne,
      path: `${WEBHOOKS}/{id}/rotate`,
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description:
        'Events carry the signatures of both secrets until the overlap ends. Needs the scope `webhooks:write`.',
      body: rotateBody,
      answer: rotatedAnswer,
      answerDescription: 'The new secret, which is shown this once',
      errors: [...errors, REFUSALS.endpoint],
      handler: ({ identity: { partner }, params: { id }, body }) =>
        answering(async () => ({
          secret: await rotateSecret(database, { id, partnerId: partner.id }, body.overlapSeconds),
        })),
    }),
    defineRoute({
      ...ofOne,
      path: `${WEBHOOKS}/{id}/replay`,
      operationId: 'replayWebhook',
      summary: 'Send events again',
      description:
        'From an event or a time on, also those that were given up. A webhook that answered 410 is enabled. Needs the scope `webhooks:write`.',
      body: replayBody,
      answer: replayAnswer,
      answerDescription: 'The events will be sent',
      errors: [...errors, REFUSALS.endpoint, REFUSALS.event],
      handler: ({ identity: { partner }, params: { id }, body }) =>
        answering(async () => ({
          events: await replay(database, { id, partnerId: partner.id }, body.from),
        })),
    }),
    defineRoute({
      ...ofOne,
      path: `${WEBHOOKS}/{id}/test`,
      operationId: 'testWebhook',
      summary: 'Send an event of the type `webhook.test`',
      description: 'The list says whether it was taken. Needs the scope `webhooks:write`.',
      answer: testAnswer,
      answerDescription: 'The event will be sent',
      errors: [...errors, REFUSALS.endpoint],
      handler: ({ identity: { partner }, params: { id } }) =>
        answering(async () => ({ event: await testEndpoint(database, { id, partnerId: partner.id }) })),
    }),
    defineRoute({
      ...ofOne,
      path: `${WEBHOOKS}/{id}/remove`,
      operationId: 'removeWebhook',
      summary: 'Remove a webhook',
      description: 'Events that it has not taken are lost. Needs the scope `webhooks:write`.',
      answer: removedAnswer,
      answerDescription: 'The webhook is removed',
      errors: [...errors, REFUSALS.endpoint],
      handler: ({ identity: { partner }, params: { id } }) =>
        answering(async () => {
          await removeEndpoint(database, { id, partnerId: partner.id });
          return { removed: id };
        }),
    }),
  ];
}

const REFUSALS: Readonly<Record<WebhookRefusal, ErrorCase>> = {
  endpoint: { status: 404, code: 'WEBHOOK_NOT_FOUND', description: 'This partner has no such webhook.' },
  event: {
    status: 404,
    code: 'EVENT_NOT_FOUND',
    description: 'The webhook has no such event, or no longer: events are kept for 7 days.',
  },
  limit: { status: 409, code: 'TOO_MANY_WEBHOOKS', description: 'The partner has 10 webhooks.' },
};

async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    const { status, code } = REFUSALS[error.refusal];
    throw new HttpProblem(status, code, error.message, { cause: error });
  }
}
