import { JsonText } from './json.js';
import { z } from './zod.js';

/** The body of a successful answer: `{status: 'success', data}`. */
export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

/** Like `success`, for a list whose elements are JSON text already. */
export function successOfTexts(elements: readonly string[]): JsonText {
  return new JsonText(`{"status":"success","data":[${elements.join(',')}]}`);
}

/** The schema of `success`. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}
