// Turns zod's issues into field problems for the client.
import type { FieldProblem } from './problem.js';
import { type z } from './zod.js';

export type Fields = z.ZodObject;

/** The parsed value, or one problem per invalid field. */
export type Checked<T> = { readonly value: T } | { readonly problems: readonly FieldProblem[] };

/** @param whole name of the value itself, for problems that concern no single field */
export function check<S extends Fields>(schema: S, value: unknown, whole: string): Checked<z.output<S>> {
  const parsed = schema.safeParse(value, { error: describe });
  if (parsed.success) return { value: parsed.data };
  return { problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, whole)) };
}

function problemsOf(issue: z.core.$ZodIssue, whole: string): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: shorten([...path, key].join('.')),
      message: 'is not known; remove it',
    }));
  }
  return [{ field: path.length === 0 ? whole : path.join('.'), message: issue.message }];
}

/** Messages that continue a sentence after the field's name. A schema's own message has priority. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const expected = withArticle(issue.expected);
    return issue.input === undefined ? `is missing; it must be ${expected}` : `must be ${expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return undefined;
}

function withArticle(type: string): string {
  if (type === 'object') return 'a JSON object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

const LONGEST_NAME = 64;

/** Unknown names are echoed to the client, so their length is limited. */
function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}
