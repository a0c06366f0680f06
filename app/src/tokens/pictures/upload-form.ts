// Parses an upload's form from the bytes that the wallet signed.
import { isVisible } from '@curvekit/sdk';
import type { Form } from '../../http/route.js';
import { BOUNDS } from '../../http/bounds.js';
import { invalid } from '../../http/problem.js';
import { ADDRESS_BYTES, decodeBase58 } from '../../base/base58.js';
import { addressSchema } from '../../http/schemas.js';
import { check } from '../../http/validation.js';
import { z } from '../../http/zod.js';
import { LONGEST_DESCRIPTION, isLink, LONGEST_LINK, ofEachLink } from './document.js';

/** The program's limits, in bytes of UTF-8. */
const LONGEST_NAME = 32;
const LONGEST_SYMBOL = 10;

const text = (least: number, most: number) =>
  z
    .string()
    .transform((given) => given.trim())
    .refine((given) => Buffer.byteLength(given) >= least && Buffer.byteLength(given) <= most, {
      error: `must have from ${least} to ${most} bytes of UTF-8`,
    })
    .openapi({ type: 'string', minLength: least, maxLength: most, ...(least > 0 && { pattern: '\\S' }) });

const visible = (most: number) =>
  text(1, most).refine((given) => isVisible(given), { error: 'must have a visible letter' });

const link = z
  .string()
  .refine((given) => given === '' || isLink(given), {
    error: `must be an https URL of at most ${LONGEST_LINK} characters`,
  })
  .optional()
  .openapi({ type: 'string', pattern: '^(https://[^\\s]+)?$', maxLength: LONGEST_LINK });

const fields = z.strictObject({
  creator: addressSchema("the creator's wallet, which signs the request"),
  name: visible(LONGEST_NAME),
  symbol: visible(LONGEST_SYMBOL),
  description: text(0, LONGEST_DESCRIPTION).optional(),
  ...ofEachLink(link),
});

/** The field's name in the document, and its longest value. */
export const uploadForm: Form = {
  fields: fields.extend({
    image: z
      .string()
      .openapi({ format: 'binary', description: 'PNG, JPEG, WebP or GIF; at most 4 MiB and 40 megapixels' }),
  }),
  mostBytes: BOUNDS.upload.body.bytes,
};

/** One for each field, and room for a client that adds its own. */
const MOST_PARTS = Object.keys(uploadForm.fields.shape).length + 4;

export interface Upload extends z.output<typeof fields> {
  readonly image: Uint8Array;
}

const CREATOR = Buffer.from('name="creator"\r\n\r\n');
const LONGEST_ADDRESS = 44;

/** The wallet in the form, without parsing it; undefined when it is not there as forms of browsers have it. */
export function creatorIn(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = bytes.indexOf(CREATOR);
  if (at === -1) return undefined;
  const from = at + CREATOR.length;
  const [value = ''] = bytes.toString('latin1', from, from + LONGEST_ADDRESS + 2).split('\r\n', 1);
  return decodeBase58(value, ADDRESS_BYTES) === undefined ? undefined : value;
}

/** The form's fields and picture. @throws HttpProblem 400 that names every wrong field */
export async function readUpload(contentType: string | undefined, body: Uint8Array): Promise<Upload> {
  const given: Record<string, unknown> = {};
  let image: Uint8Array | undefined;
  for (const [name, value] of await entriesOf(contentType, body)) {
    if (name in given || (name === 'image' && image !== undefined))
      throw invalid([{ field: name, message: 'appears twice; send it once' }]);
    if (typeof value === 'string') given[name] = value;
    else if (name === 'image') image = new Uint8Array(await value.arrayBuffer());
    else given[name] = value;
  }
  const checked = check(fields, given, 'body');
  const problems = 'problems' in checked ? [...checked.problems] : [];
  if (image === undefined)
    problems.push({ field: 'image', message: 'is missing; send the picture as a file' });
  if (image === undefined || problems.length > 0 || 'problems' in checked) throw invalid(problems);
  return { ...checked.value, image };
}

/** Uses Node's own parser, which takes milliseconds for each part: so they are counted first. */
async function entriesOf(contentType: string | undefined, body: Uint8Array) {
  if (hasMoreParts(contentType, body, MOST_PARTS))
    throw invalid([{ field: 'body', message: `has more than ${MOST_PARTS} parts; send each field once` }]);
  try {
    const headers = { 'content-type': contentType ?? '' };
    const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData();
    // The iterator is missing in Node's type definitions.
    return [...(form as unknown as Iterable<[string, string | Blob]>)];
  } catch {
    throw invalid([{ field: 'body', message: 'is not a form of multipart/form-data; send one' }]);
  }
}

/** Whether the boundary is in the body more often than a form with so many parts has it. */
function hasMoreParts(contentType: string | undefined, body: Uint8Array, most: number): boolean {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '') ?? [];
  const boundary = Buffer.from(`--${quoted ?? plain ?? ''}`);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let found = 0;
  for (let at = bytes.indexOf(boundary); at !== -1; at = bytes.indexOf(boundary, at + boundary.length)) {
    found += 1;
    // One more ends the form.
    if (found > most + 1) return true;
  }
  return false;
}
