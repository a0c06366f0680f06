// Request and response schemas of webhooks.
import { wholeSchema } from '../http/schemas.js';
import { z } from '../http/zod.js';
import { addressProblem } from './address.js';
import { PARTNER_EVENTS, replayFrom } from './events.js';

const ID = '^[0-9a-f]{16}$';
const LONGEST_OVERLAP = 30 * 86_400;
const DAY_SECONDS = 86_400;
const SECRET = '`whsec_…`, for the libraries of Standard Webhooks';

const id = z
  .string()
  .regex(new RegExp(ID), { error: 'must be the id of a webhook: 16 hex digits in small letters' })
  .openapi({ description: 'Id of the webhook', example: '9b2f7c1d54e0a86f' });
const eventId = z.string().openapi({ description: 'Id of an event, its header `webhook-id`' });
const secret = z.string().openapi({ description: SECRET });

export const webhookParams = z.strictObject({ id });

export const addBody = (allowsInside: boolean) =>
  z
    .strictObject({
      url: z
        .string()
        .superRefine((url, context) => {
          const problem = addressProblem(url, allowsInside);
          if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
        })
        .openapi({
          description: 'An https URL that leads to a public address',
          pattern: '^https://[!-~]+$',
          maxLength: 2_048,
        }),
      types: z
        .array(z.enum(PARTNER_EVENTS))
        .min(1)
        .optional()
        .openapi({ description: 'The types of events to send; all without it' }),
    })
    // `NewWebhook` is what generators for Go call the function that makes a `Webhook`.
    .openapi('WebhookToAdd');

export const addedAnswer = z
  .object({ id, secret })
  .openapi('WebhookAdded', { description: 'A new endpoint and its secret' });

export const rotateBody = z
  .strictObject({
    overlapSeconds: z.int().min(0).max(LONGEST_OVERLAP).default(DAY_SECONDS).openapi({
      description: 'How long the old secret signs too. A third secret ends at once',
    }),
  })
  .openapi('WebhookRotation');

export const rotatedAnswer = z.object({ secret }).openapi('WebhookRotated');

export const replayBody = z
  .strictObject({
    from: z
      .string()
      .transform((text, context) => {
        const from = replayFrom(text);
        if (from !== undefined) return from;
        context.addIssue({
          code: 'custom',
          message:
            'must be the id of an event, msg_ and 32 hex digits, or a time such as 2026-11-29T12:00:00Z',
        });
        return z.NEVER;
      })
      .openapi({
        type: 'string',
        description: 'The id of the first event to send, or a time in ISO 8601',
        pattern: '^(msg_[0-9a-f]{32}|\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z)$',
      }),
  })
  .openapi('WebhookReplay');

export const replayAnswer = z
  .object({ events: wholeSchema('How many events will be sent') })
  .openapi('WebhookReplayed');

export const testAnswer = z.object({ event: eventId }).openapi('WebhookTested');

export const removedAnswer = z.object({ removed: id }).openapi('WebhookRemoved');

export const listAnswer = z
  .object({
    webhooks: z.array(
      z
        .object({
          id,
          url: z.string(),
          types: z.array(z.string()).nullable().openapi({ description: 'Null for all' }),
          state: z
            .enum(['active', 'disabled'])
            .openapi({ description: 'Disabled by an answer 410, until a replay' }),
          waiting: wholeSchema('Events that it has not taken yet'),
          problem: z.string().nullable().openapi({ description: 'Why it has not taken the oldest of them' }),
          dead: wholeSchema('Events that were given up after a day'),
          deadLetters: z
            .array(
              z.object({ event: eventId, type: z.string(), diedAt: z.iso.datetime(), problem: z.string() }),
            )
            .openapi({ description: 'The newest of those, ten at most' }),
        })
        .openapi('Webhook', { description: 'An endpoint and what waits for it' }),
    ),
  })
  .openapi('Webhooks');
