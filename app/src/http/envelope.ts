import { JsonText } from './json.js';
import { z } from './zod.js';

/** The body of a success: `{status: 'success', data}`. */
export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

/** The same for a list of elements that are JSON text already. */
export function successOfTexts(elements: readonly string[]): JsonText {
  return new JsonText(`{"status":"success","data":[${elements.join(',')}]}`);
}

/** The schema of that body. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ status: z.literal('success'), data });
}
