import { JsonText } from './json.js';
import { z } from './zod.js';

/** What a request that succeeds is answered with: `{status: 'success', data}`. */
export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

/** The same of a list, from the JSON text of each element. */
export function successOfTexts(elements: readonly string[]): JsonText {
  return new JsonText(`{"status":"success","data":[${elements.join(',')}]}`);
}

/** The schema of that answer. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ status: z.literal('success'), data });
}
