import { z } from './zod.js';

/** The body of a successful answer: `{status: 'success', data}`. */
export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

/** The schema of `success`. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}
