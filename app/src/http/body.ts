// Reads bodies as bytes first, because a signature may cover the exact bytes.
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { HttpProblem, invalid, type FieldProblem } from './problem.js';

/** Maximum size of a request's body, in bytes. */
export const BODY_LIMIT = 16_384;

/** Reads a body of `multipart/form-data` into `request.body` as raw bytes. */
export function formReader(limit: number): RequestHandler {
  const read = express.raw({ type: () => true, limit, inflate: false });
  return (request, response, next) => {
    if (request.is('multipart/form-data') === false) {
      next(invalid([{ field: 'Content-Type', message: 'must be multipart/form-data' }], 415));
      return;
    }
    readWith(read, request, response, next);
  };
}

const readBytes = express.raw({ type: () => true, limit: BODY_LIMIT, inflate: false });

/** Reads the body into `request.body`. Refuses a body that is too large, or whose content type is not JSON. */
export const bodyReader: RequestHandler = (request, response, next) => {
  const type = request.get('content-type');
  if (type !== undefined && request.is('application/json') === false) {
    next(invalid([{ field: 'Content-Type', message: 'must be application/json' }], 415));
    return;
  }
  readWith(readBytes, request, response, next);
};

function readWith(
  read: ReturnType<typeof express.raw>,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  read(request, response, (error?: unknown) => {
    // The connection cannot be reused, because the unread rest of the body is still in it.
    if (error !== undefined && error !== null) response.set('Connection', 'close');
    next(error);
  });
}

/** Parses a body. @returns the value, or the problem */
export function readJson(
  request: Request,
  bytes: Uint8Array,
): { readonly value: unknown } | { readonly problem: FieldProblem } {
  if (bytes.length === 0) return { problem: { field: 'body', message: 'is missing; send a JSON object' } };
  if (request.is('application/json') === false) {
    throw new HttpProblem(415, 'VALIDATION_ERROR', 'The request is not valid', {
      fields: [{ field: 'Content-Type', message: 'is missing; it must be application/json' }],
    });
  }
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { problem: { field: 'body', message: 'is not JSON in UTF-8; send a JSON object' } };
  }
}
