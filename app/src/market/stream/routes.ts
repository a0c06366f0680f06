import type { Api } from '../../http/api.js';
import { envelopeErrors } from '../../http/error-shapes.js';
import { defineRoute, type Route } from '../../http/route.js';
import { z } from '../../http/zod.js';
import type { MarketStream } from './stream.js';
import { MOST_TOPICS } from './topics.js';

const TOPIC = '^(board|(token|wallet):[1-9A-HJ-NP-Za-km-z]{32,44})$';

const PATH = '/v1/market/stream';

export function streamApi(stream: MarketStream): Api {
  return {
    name: 'stream',
    description: 'What happens on the market, as it happens',
    prefix: PATH,
    errors: envelopeErrors,
    kind: 'stream',
    routes: [route(stream)],
  };
}

function route(stream: MarketStream): Route {
  const defined = defineRoute({
    method: 'get',
    path: PATH,
    operationId: 'streamMarket',
    summary: 'Server-Sent Events of the market',
    description:
      'Events: `token` (TokenSummary), `trade` (Trade), `update` (fields of a summary that changed), `graduated`, `migrated`, ' +
      '`metadata`, `position` (no event; its id is where to resume, `slot` is how far the index is and `ageMs` how far behind, null when not known), `dropped` (a fork took the trades of a token from `fromId` on: read it again) and `reset` (too much was missed: ' +
      'read everything again). A client that comes back with `Last-Event-ID` gets what it missed, up to 1,000 events of the last ' +
      'hour, also from another instance. With the topic `board`, events come every 250 ms, with one update for each token.',
    query: z.object({
      topic: z.array(z.string().openapi({ pattern: TOPIC })).openapi({
        minItems: 1,
        maxItems: MOST_TOPICS,
        description: `\`board\`, \`token:MINT\` or \`wallet:ADDRESS\`; up to ${MOST_TOPICS}`,
        example: ['board'],
      }),
      lastEventId: z
        .string()
        .optional()
        .openapi({ description: 'As the header `Last-Event-ID`, which goes before it' }),
    }),
    answer: z.string().openapi({ description: 'Frames of events' }),
    answerDescription: 'The events, without end',
    handler: () => Promise.reject(new Error('a stream is not JSON')),
  });
  return {
    ...defined,
    answerType: 'text/event-stream',
    handle: (request, response) => stream.serve(request, response),
  };
}
