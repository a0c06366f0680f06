// Routes of the Partner API. The rules are in the services.
import bs58 from 'bs58';
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../context.js';
import { type Api, headerScheme } from '../http/api.js';
import { plainErrors } from '../http/error-shapes.js';
import type { RawRequest } from '../http/raw-request.js';
import { defineRoute, type Route, type ErrorCase } from '../http/route.js';
import { KeyLimits } from './key-limits.js';
import { KeyAuth, requireScope, type AuthenticatedKey } from './key-auth.js';
import { Registration } from './registration.js';
import {
  messageAnswer,
  registerAnswer,
  registerBody,
  statsAnswer,
  userAnswer,
  userParams,
  usersAnswer,
  usersQuery,
  versionAnswer,
} from './schemas.js';
import type { Scope } from './scopes.js';
import { type PartnerUser, encodeCursor, userOf, userPage, partnerStats } from './user-repository.js';
import { HttpProblem, unavailable } from '../http/problem.js';
import { PartnerError, type PartnerRefusal } from './errors.js';
import { webhookRoutes } from '../webhooks/routes.js';

/** The version is the first segment of every path. */
const PREFIX = '/v1';
const INTERNAL = '/v1/internal';
const KEY_HEADER = 'x-api-key';

export type PartnerContext = Pick<Context, 'config' | 'connection' | 'database' | 'now'>;

export function partnerApi({ config, connection, database, now }: PartnerContext): Api {
  const auth = new KeyAuth({ database, now });
  const limits = new KeyLimits(database, now);
  const registration = new Registration({
    database,
    now,
    serviceName: config.serviceName,
    currentSlot: () => connection.getSlot('confirmed'),
  });

  /** Authenticates the key's owner, and checks the scope if one is given. */
  const partnerWith = (scope?: Scope) => (request: RawRequest) =>
    answering(async (): Promise<AuthenticatedKey> => {
      const key = await auth.authenticate(request.header(KEY_HEADER));
      request.log.nameKey(key.keyId);
      if (scope !== undefined) requireScope(key, scope);
      return key;
    });

  const routes: readonly Route[] = [
    defineRoute({
      method: 'get',
      path: INTERNAL,
      operationId: 'getPartnerApiVersion',
      summary: 'Version of the API',
      description: 'Any valid key will do.',
      security: ['apiKey'],
      answer: versionAnswer,
      answerDescription: 'The version',
      errors: [REFUSALS.unauthorized],
      guard: partnerWith(),
      handler: () => Promise.resolve({ version: 'v1' as const }),
    }),
    defineRoute({
      method: 'get',
      path: `${INTERNAL}/auth/get-message`,
      operationId: 'getRegistrationMessage',
      summary: 'A message for a user to sign',
      description: 'Good for one registration within 10 minutes. Needs the scope `users:write`.',
      security: ['apiKey'],
      answer: messageAnswer,
      answerDescription: 'The message and its nonce',
      errors: [REFUSALS.unauthorized, REFUSALS.scope],
      guard: partnerWith('users:write'),
      handler: ({ identity }) => registration.issueMessage(identity.partner),
    }),
    defineRoute({
      method: 'post',
      path: `${INTERNAL}/auth/register`,
      operationId: 'registerUser',
      summary: 'Register a user who signed the message',
      description:
        'The user belongs to the first partner that registers it. From then on each of its trades earns the partner a share of the platform fee. ' +
        'The same request again succeeds, so send it again when its answer is lost. Needs the scope `users:write`.',
      security: ['apiKey'],
      body: registerBody,
      answer: registerAnswer,
      answerDescription: 'The user is registered',
      errors: [
        REFUSALS.unauthorized,
        REFUSALS.scope,
        REFUSALS.nonce,
        REFUSALS.signature,
        REFUSALS.registered,
      ],
      guard: partnerWith('users:write'),
      handler: ({ identity, body }) =>
        answering(async () => {
          await registration.register(identity.partner, {
            publicKey: new PublicKey(body.publicKey),
            signature: bs58.decode(body.signature),
            signatureText: body.signature,
            nonce: body.nonce,
            signedMessage:
              body.signedMessage === undefined ? undefined : Buffer.from(body.signedMessage, 'base64'),
          });
          return { status: 200, success: true } as const;
        }),
    }),
    defineRoute({
      method: 'get',
      path: `${INTERNAL}/users`,
      operationId: 'listUsers',
      summary: "The partner's users, in the order of their registration",
      description: 'Amounts are in lamports, of finalized trades. Needs the scope `users:read`.',
      security: ['apiKey'],
      query: usersQuery,
      answer: usersAnswer,
      answerDescription: 'A page of users',
      errors: [REFUSALS.unauthorized, REFUSALS.scope],
      guard: partnerWith('users:read'),
      handler: async ({ identity, query: { cursor, limit } }) => {
        const { users, next } = await userPage(database, identity.partner.id, { after: cursor, limit });
        return {
          users: users.map(answerOf),
          nextCursor: next === null ? null : encodeCursor(next),
        };
      },
    }),
    defineRoute({
      method: 'get',
      path: `${INTERNAL}/users/{publicKey}`,
      operationId: 'getUser',
      summary: "One of the partner's users",
      description: 'Amounts are in lamports, of finalized trades. Needs the scope `users:read`.',
      security: ['apiKey'],
      params: userParams,
      answer: userAnswer,
      answerDescription: 'The user',
      errors: [REFUSALS.unauthorized, REFUSALS.scope, REFUSALS.user],
      guard: partnerWith('users:read'),
      handler: ({ identity, params: { publicKey } }) =>
        answering(async () => answerOf(await userOf(database, identity.partner.id, publicKey))),
    }),
    defineRoute({
      method: 'get',
      path: `${INTERNAL}/stats`,
      operationId: 'getPartnerStats',
      summary: "Totals of the partner's users",
      description: 'Amounts are in lamports, of finalized trades. Needs the scope `stats:read`.',
      security: ['apiKey'],
      answer: statsAnswer,
      answerDescription: 'The totals',
      errors: [REFUSALS.unauthorized, REFUSALS.scope],
      guard: partnerWith('stats:read'),
      handler: ({ identity }) => partnerStats(database, identity.partner.id),
    }),
    ...webhookRoutes({ config, database, partnerWith, errors: [REFUSALS.unauthorized, REFUSALS.scope] }),
  ];

  return {
    name: 'Partner API',
    description: 'Partners register users and earn a share of the platform fee of their trades.',
    prefix: PREFIX,
    errors: plainErrors,
    routes: routes.map((route) => ({ ...route, security: ['apiKey'] })),
    ownLimits: (request) => limits.limitOf(request.get(KEY_HEADER)),
    securitySchemes: {
      apiKey: headerScheme(KEY_HEADER, 'Issued by the operator: `curvekit_…`'),
    },
  };
}

function answerOf({ wallet, registeredAt, ...totals }: PartnerUser) {
  return { publicKey: wallet, registeredAt: registeredAt.toISOString(), ...totals };
}

// Turns refusals into HTTP errors.

type Said = Exclude<PartnerRefusal, 'unavailable'>;

/** Each refusal for the OpenAPI document. */
const REFUSALS: Readonly<Record<Said, ErrorCase>> = {
  unauthorized: {
    status: 401,
    code: 'INVALID_API_KEY',
    description: 'The key is missing, unknown, expired or revoked.',
  },
  scope: { status: 403, code: 'SCOPE_MISSING', description: 'The key does not have the scope.' },
  nonce: {
    status: 403,
    code: 'INVALID_NONCE',
    description: "The nonce is unknown, used, expired or another partner's.",
  },
  signature: {
    status: 403,
    code: 'INVALID_SIGNATURE',
    description: 'The signature is not that of `publicKey` over the message.',
  },
  registered: {
    status: 409,
    code: 'ALREADY_REGISTERED',
    description:
      'Another partner has registered the user, or this one with another nonce; the message says which.',
  },
  user: { status: 404, code: 'USER_NOT_FOUND', description: 'This partner has no such user.' },
};

/** Runs the work and turns a refusal into an HTTP error. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    if (error.refusal === 'unavailable') throw unavailable(error.message, error.cause);
    const { status, code } = REFUSALS[error.refusal];
    throw new HttpProblem(status, code, error.message, { cause: error });
  }
}
