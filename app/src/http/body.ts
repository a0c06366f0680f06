// Bodies are read as bytes first: a signature may cover exactly those.
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { HttpProblem, invalid, type FieldProblem } from './problem.js';

/** The most bytes of a request's body. */
export const BODY_LIMIT = 16_384;

/** Reads a body of `multipart/form-data` into `request.body`, as the bytes that were sent. */
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

/** Reads the body into `request.body`. Refuses what is not JSON by its headers, or too large. */
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
    // What is left of a body that was not read makes the connection useless.
    if (error !== undefined && error !== null) response.set('Connection', 'close');
    next(error);
  });
}

/** The value in a body, or why there is none. */
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
