import type { ErrorShape } from '../../http/error-shapes.js';
import { z } from '../../http/zod.js';

/** `{message}`, which wallets and feeds show. The message also names invalid fields. */
export const actionErrors: ErrorShape = {
  body: ({ message, fields }) => ({
    message: [message, ...fields.map((problem) => `${problem.field} ${problem.message}`)].join('; '),
  }),
  schema: () => z.object({ message: z.string() }),
};
