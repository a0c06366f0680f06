import { z } from './zod.js';

export function success<Data>(data: Data) {
  return { status: 'success', data } as const;
}

export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data });
}
