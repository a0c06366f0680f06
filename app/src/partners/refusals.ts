// Turns refusals into HTTP errors.
import { HttpProblem, unavailable } from '../http/problem.js';
import type { ErrorCase } from '../http/route.js';
import { PartnerError, type PartnerRefusal } from './errors.js';

type Said = Exclude<PartnerRefusal, 'unavailable'>;

/** Each refusal for the OpenAPI document. */
export const REFUSALS: Readonly<Record<Said, ErrorCase>> = {
  unauthorized: {
    status: 401,
    code: 'INVALID_API_KEY',
    description: 'The key is missing, unknown, expired or revoked.',
  },
  scope: { status: 403, code: 'SCOPE_MISSING', description: 'The key does not have the scope.' },
  nonce: {
    status: 403,
    code: 'INVALID_NONCE',
    description: "The nonce is unknown, used, expired or another partner's.",
  },
  signature: {
    status: 403,
    code: 'INVALID_SIGNATURE',
    description: 'The signature is not that of `publicKey` over the message.',
  },
  registered: {
    status: 409,
    code: 'ALREADY_REGISTERED',
    description:
      'Another partner has registered the user, or this one with another nonce; the message says which.',
  },
  user: { status: 404, code: 'USER_NOT_FOUND', description: 'This partner has no such user.' },
};

/** Runs the work and turns a refusal into an HTTP error. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    if (error.refusal === 'unavailable') throw unavailable(error.message, error.cause);
    const { status, code } = REFUSALS[error.refusal];
    throw new HttpProblem(status, code, error.message, { cause: error });
  }
}
