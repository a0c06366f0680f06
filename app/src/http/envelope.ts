import { z } from './zod.js';

/** What a request that succeeds is answered with: `{status: 'success', data}`. */
export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

/** The schema of that answer. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ status: z.literal('success'), data });
}
