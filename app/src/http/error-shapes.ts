// The two JSON shapes of error answers.
import { HttpProblem } from './problem.js';
import { z } from './zod.js';
import type { ErrorCase } from './route.js';

export interface ErrorShape {
  body(problem: HttpProblem): Readonly<Record<string, unknown>>;
  /** The schema of that body, for the OpenAPI document. @param codes the error codes that `status` can have */
  schema(status: number, codes: readonly [string, ...string[]]): z.ZodType;
}

const fieldProblem = z
  .object({
    field: z.string().openapi({ description: 'What is wrong: a parameter, a header, or a path in the body' }),
    message: z.string(),
  })
  .openapi('FieldProblem');

/** `{status: 'error', code, message, errors?}` */
export const envelopeErrors: ErrorShape = {
  body: ({ code, message, fields }) => ({
    status: 'error',
    code,
    message,
    ...(fields.length === 0 ? {} : { errors: fields }),
  }),
  schema: (_status, codes) =>
    z.object({
      status: z.literal('error'),
      code: z.enum(codes),
      message: z.string(),
      ...(codes.includes('VALIDATION_ERROR') ? { errors: z.array(fieldProblem).optional() } : {}),
    }),
};

/** `{message, error, statusCode}`, with the status as text. The message also names invalid fields. */
export const plainErrors: ErrorShape = {
  body: ({ status, code, message, fields }) => ({
    message: [message, ...fields.map((problem) => `${problem.field} ${problem.message}`)].join('; '),
    error: code,
    statusCode: String(status),
  }),
  schema: (status, codes) =>
    z.object({
      message: z.string(),
      error: z.enum(codes),
      statusCode: z.literal(String(status)),
    }),
};

export const TOKEN_NOT_FOUND: ErrorCase = {
  status: 404,
  code: 'TOKEN_NOT_FOUND',
  description: 'There is no such token.',
};

export const TRADE_NOT_FOUND: ErrorCase = {
  status: 404,
  code: 'TRADE_NOT_FOUND',
  description: 'The index knows no trade of this transaction.',
};

const refusalOf = ({ status, code, description }: ErrorCase) =>
  new HttpProblem(status, code, description.replace(/\.$/, ''));

export const noTrade = (): HttpProblem => refusalOf(TRADE_NOT_FOUND);
export const noToken = (): HttpProblem => refusalOf(TOKEN_NOT_FOUND);

export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}
