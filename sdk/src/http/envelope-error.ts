// Decodes the error format `{code, message, errors?}` of the Rewards Claiming API and the Market API.
import type { FieldProblem } from './errors.js';
import type { JsonValue } from './json.js';
import { readList, readObject, readString } from './readers.js';
import type { ErrorBody } from './transport.js';

const readProblems = /* @__PURE__ */ readList<FieldProblem>(
  /* @__PURE__ */ readObject({ field: readString, message: readString }),
);

/** The error in an answer. Undefined when the answer does not come from the API. */
export function readEnvelopeError(body: JsonValue | undefined): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined;
  const { code, message, errors } = body as Record<string, JsonValue | undefined>;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  const fields = Array.isArray(errors) ? readProblems(errors, 'errors') : [];
  const details = fields.map(({ field, message: problem }) => `${field} ${problem}`);
  return { code, message: [message, ...details].join('; '), fields };
}
