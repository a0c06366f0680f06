// Errors in the shape of JSON-RPC, for clients of RPC nodes.
import type { ErrorShape } from '../http/error-shapes.js';
import { z } from '../http/zod.js';

const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** `{jsonrpc, id, error: {code, message}}`. The message also names invalid fields. */
export const jsonRpcErrors: ErrorShape = {
  body: ({ status, message, fields }) => ({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: status === 429 ? 429 : status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST,
      message: [message, ...fields.map((problem) => `${problem.field} ${problem.message}`)].join('; '),
    },
  }),
  schema: () =>
    z.object({
      jsonrpc: z.literal('2.0'),
      // Always null. Generators of clients cannot read a type of null alone.
      id: z.string().nullable(),
      error: z.object({ code: z.int().openapi({ format: 'int32' }), message: z.string() }),
    }),
};
