// Generates the OpenAPI document from the route definitions that the service runs.
import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import type { Api } from './api.js';
import { JSON_BODY } from './bounds.js';
import type { ErrorCase, Route } from './route.js';

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;
type Responses = RouteConfig['responses'];
type Headers = Readonly<Record<string, { description: string; schema: { type: 'string' } }>>;

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Where clients reach the service. When undefined, URLs are relative to the document. */
  readonly publicUrl: string | undefined;
}

/** Describes every route of the APIs. */
export function openApiDocument(apis: readonly Api[], info: DocumentInfo): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  for (const api of apis) {
    for (const [name, scheme] of Object.entries(api.securitySchemes ?? {})) {
      registry.registerComponent('securitySchemes', name, { ...scheme });
    }
    for (const route of api.routes) registry.registerPath(routeConfig(api, route));
  }
  const { title, version, description, publicUrl } = info;
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl ?? '/' }],
    tags: [...apis]
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map((api) => ({ name: api.name, description: api.description })),
  });
  return opened(document) as OpenApiDocument;
}

/** What readers of the documentation come for. The rest, such as the page's own node and faucet, follows. */
const FIRST = ['market', 'stream', 'rewards', 'partner', 'launchpad', 'uploads', 'actions'];

function placeOf({ name }: Api): number {
  const place = FIRST.indexOf(name);
  return place === -1 ? FIRST.length : place;
}

/**
 * Objects that are not strict say that they can have more fields. Without that word, generators of Go and Java make clients that
 * refuse an answer with a field of a later version.
 */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, opened(part)]));
  return [parts['type']].flat().includes('object') ? { additionalProperties: true, ...parts } : parts;
}

function routeConfig(api: Api, route: Route): RouteConfig {
  const { method, path, operationId, summary, description, params, query, headers } = route;
  return {
    method,
    path,
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [api.name],
    security:
      route.security.length === 0 ? [] : [Object.fromEntries(route.security.map((name) => [name, []]))],
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
      ...requestBody(route),
    },
    responses: { ...answer(route), ...(route.hasTag ? UNCHANGED : {}), ...errorAnswers(api, route) },
  };
}

function requestBody({ body, form }: Route): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  const schema = form?.fields ?? body;
  if (schema === undefined) return {};
  const type = form === undefined ? 'application/json' : 'multipart/form-data';
  return { body: { required: true, content: { [type]: { schema } } } };
}

function answer(route: Route): Responses {
  const { answer: schema, answerDescription, answerHeaders, answerType, hasTag } = route;
  return {
    200: {
      description: answerDescription,
      headers: {
        ...LIMIT_HEADERS,
        ...(hasTag ? CACHE_HEADERS : {}),
        ...Object.fromEntries(
          Object.entries(answerHeaders).map(([name, about]) => [name, { ...text(about), required: false }]),
        ),
      },
      content: { [answerType ?? 'application/json']: { schema } },
    },
  };
}

function errorAnswers(api: Api, route: Route): Responses {
  const byStatus = new Map<number, ErrorCase[]>();
  for (const error of [...route.errors, ...commonErrors(route)]) {
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error]);
  }
  const responses: Responses = {};
  for (const [status, cases] of [...byStatus].sort(([a], [b]) => a - b)) {
    const codes = [...new Set(cases.map(({ code }) => code))] as [string, ...string[]];
    responses[status] = {
      description: cases.map(({ code, description }) => `\`${code}\`: ${description}`).join('\n\n'),
      headers: { ...LIMIT_HEADERS, ...EXTRA_HEADERS[status] },
      content: { 'application/json': { schema: api.errors.schema(status, codes) } },
    };
  }
  return responses;
}

/** Errors that follow from the input of a route, and errors that any request can get. */
function commonErrors({ body, form }: Route): ErrorCase[] {
  const most = (form?.mostBytes ?? JSON_BODY.bytes).toLocaleString('en');
  const type = form === undefined ? 'application/json' : 'multipart/form-data';
  const ofBody: ErrorCase[] =
    body === undefined && form === undefined
      ? []
      : [
          { status: 408, code: 'VALIDATION_ERROR', description: 'The body did not arrive in time.' },
          { status: 413, code: 'VALIDATION_ERROR', description: `The body has more than ${most} bytes.` },
          { status: 415, code: 'VALIDATION_ERROR', description: `The body is not plain \`${type}\`.` },
        ];
  return [
    { status: 400, code: 'VALIDATION_ERROR', description: 'A field is missing, unknown or malformed.' },
    { status: 404, code: 'NOT_FOUND', description: 'There is no such path.' },
    {
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      description: 'The path takes other methods; `Allow` names them.',
    },
    ...ofBody,
    {
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      description: 'Too many requests of this address, or with this key; or too many at once.',
    },
    { status: 500, code: 'INTERNAL_ERROR', description: 'The service failed.' },
    {
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      description: 'A part of the service is unavailable for now.',
    },
  ];
}

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const LIMIT_HEADERS: Headers = {
  'RateLimit-Limit': text('Requests allowed in a window'),
  'RateLimit-Remaining': text('Requests left in this window'),
  'RateLimit-Reset': text('Seconds until the next window'),
  'RateLimit-Policy': text('`LIMIT;w=SECONDS`'),
};
const CACHE_HEADERS: Headers = {
  'Cache-Control': text('How long the answer may be kept'),
  ETag: text('Names this answer; send it as `If-None-Match` to hear whether it has changed'),
};
const UNCHANGED: Responses = {
  304: {
    description: 'What `If-None-Match` names is still the answer',
    headers: { ...LIMIT_HEADERS, ...CACHE_HEADERS },
  },
};
const RETRY_AFTER: Headers = { 'Retry-After': text('Seconds after which to try again') };
const EXTRA_HEADERS: Readonly<Record<number, Headers>> = {
  405: { Allow: text('Methods that the path takes') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
