// From zod's findings to the fields that a client reads about.
import type { FieldProblem } from './problem.js';
import { type z } from './zod.js';

/** A schema of named fields. */
export type Fields = z.ZodObject;

/** The value as the schema has it, or what is wrong with every field that is. */
export type Checked<T> = { readonly value: T } | { readonly problems: readonly FieldProblem[] };

/** @param whole how to name the value itself, should it be of a wrong type altogether */
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

/** Messages continue the field's name. Schemas with words of their own keep them. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'object' ? 'a JSON object' : `a ${issue.expected}`;
    return issue.input === undefined ? `is missing; it must be ${expected}` : `must be ${expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return undefined;
}

const LONGEST_NAME = 64;

/** Names that a client makes up come back, but not without end. */
function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}
