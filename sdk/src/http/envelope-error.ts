// The shape `{code, message, errors?}` in which the Rewards Claiming API and the Market API word their errors.
import type { FieldProblem } from './errors.js';
import type { JsonValue } from './json.js';
import { readList, readObject, readString } from './readers.js';
import type { ErrorBody } from './transport.js';

const readProblems = /* @__PURE__ */ readList<FieldProblem>(
  /* @__PURE__ */ readObject({ field: readString, message: readString }),
);

/** The error in an answer; undefined when the answer is not the API's. */
export function readEnvelopeError(body: JsonValue | undefined): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined;
  const { code, message, errors } = body as Record<string, JsonValue | undefined>;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  const fields = Array.isArray(errors) ? readProblems(errors, 'errors') : [];
  const details = fields.map(({ field, message: problem }) => `${field} ${problem}`);
  return { code, message: [message, ...details].join('; '), fields };
}
