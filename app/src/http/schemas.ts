// Schemas that several routes share.
import { ADDRESS_BYTES, decodeBase58, SIGNATURE_BYTES } from '../base/base58.js';
import { z } from './zod.js';

const SIGNATURE_EXAMPLE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

const base58 = (length: number, what: string) =>
  z.string().refine((text) => decodeBase58(text, length) !== undefined, {
    error: `must be ${what}: ${length} bytes in base58`,
  });

/** The address of a wallet or token. This does not check whether a wallet can sign for it. */
export const addressSchema = (what: string) =>
  base58(ADDRESS_BYTES, what).openapi({
    description: `${what[0]!.toUpperCase()}${what.slice(1)}: 32 bytes in base58`,
    pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
    example: 'So11111111111111111111111111111111111111112',
  });

export const signatureSchema = (what: string) =>
  base58(SIGNATURE_BYTES, what).openapi({
    description: `${what[0]!.toUpperCase()}${what.slice(1)}: 64 bytes in base58`,
    pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
    example: SIGNATURE_EXAMPLE,
  });

/** Lamports or token base units of any size, as an exact JSON number. Generators of clients know `int64`, not `uint64`. */
export const amountSchema = (description: string) =>
  z.bigint().openapi({ type: 'integer', format: 'int64', minimum: 0, description });

/** A whole number that every language's number holds: a slot, a time, a count, basis points. */
export const wholeSchema = (description?: string, minimum = 0) =>
  z.int().openapi({
    format: 'int64',
    minimum,
    maximum: Number.MAX_SAFE_INTEGER,
    ...(description === undefined ? {} : { description }),
  });

/**
 * The cursor of a page, parsed: opaque, and never empty.
 *
 * @param source what the message of a refusal says that it must be
 */
export function cursorSchema<Position>(
  decode: (cursor: string) => Position | undefined,
  source: string,
  description: string,
) {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return undefined;
      const position = decode(text);
      if (position !== undefined) return position;
      context.addIssue({ code: 'custom', message: `must be ${source}` });
      return z.NEVER;
    })
    .openapi({ type: 'string', minLength: 1, pattern: '^[\\w-]+$', description });
}

/** Reads the text of a whole number, of at most so many digits. */
export const readWhole =
  ({
    digits,
    least = 1,
    largest,
  }: {
    readonly digits: number;
    readonly least?: number;
    readonly largest: number;
  }) =>
  (text: string, context: z.RefinementCtx): number => {
    const isShort = text.length <= digits && /^\d+$/.test(text);
    if (isShort && Number(text) >= least && Number(text) <= largest) return Number(text);
    context.addIssue({ code: 'custom', message: `must be a whole number from ${least} to ${largest}` });
    return z.NEVER;
  };

/** Page size: a text in the query, a number for the route. */
export function pageLimit(what: string, largest: number, usual: number) {
  return z
    .string()
    .default(String(usual))
    .transform(readWhole({ digits: 4, largest }))
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: largest,
      default: usual,
      description: `${what} of one page`,
    });
}
