// Reads bodies as bytes first, because a signature may cover the exact bytes. Nothing is allocated for what a client only
// announces.
import type { Request, RequestHandler } from 'express';
import { tooManyBytes, type Bodies } from './admission.js';
import { clientOf } from './client-address.js';
import { HttpProblem, invalid, type FieldProblem } from './problem.js';
import { onRequestEnd } from './request-end.js';
import type { Held } from './shares.js';

const FIRST_BYTES = 4_096;
/** Each larger buffer is so many times the last. Fewer buffers are less work for the garbage collector. */
const GROWTH = 4;
/** Each chunk takes microseconds. The average chunk of a longer body must have as many bytes. */
const MOST_SMALL_CHUNKS = 1_000;
const LEAST_AVERAGE_BYTES = 64;
/** A refused request whose body is longer is not read to its end: its connection is closed. */
const MOST_DISCARDED_BYTES = 64 * 1_024;

/** Reads a body of `multipart/form-data` into `request.body` as raw bytes. */
export function formReader(bodies: Bodies): RequestHandler {
  return reader(bodies, 'multipart/form-data', true);
}

/** Reads the body into `request.body`. Refuses a body that is too large, or whose content type is not JSON. */
export function jsonReader(bodies: Bodies): RequestHandler {
  return reader(bodies, 'application/json', false);
}

function reader(bodies: Bodies, type: string, isTypeRequired: boolean): RequestHandler {
  return (request, response, next) => {
    const isTyped = isTypeRequired || request.headers['content-type'] !== undefined;
    // `null`: there is no body, and so no type.
    if (isTyped && request.is(type) === false)
      return next(invalid([{ field: 'Content-Type', message: `must be ${type}` }], 415));
    const held = bodies.shares.hold(clientOf(request));
    onRequestEnd(request, response, () => held.release());
    readBody(request, bodies, held, (problem, body) => {
      request.body = body;
      // The connection cannot be reused, because the unread rest of the body is still in it.
      if (problem !== undefined) response.setHeader('Connection', 'close');
      next(problem);
    });
  };
}

type Done = (problem: HttpProblem | undefined, body?: Buffer) => void;

/** Copies the chunks into one buffer, because each small chunk would take many times its bytes. */
function readBody(request: Request, { bounds, shares }: Bodies, held: Held, done: Done): void {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') {
    const message = 'is not supported; send the body as it is';
    return done(invalid([{ field: 'Content-Encoding', message }], 415));
  }
  if (Number(length ?? 0) > bounds.bytes) return done(tooLong(bounds.bytes));
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return done(undefined);

  const most = length === undefined ? bounds.bytes : Number(length);
  let buffer = Buffer.alloc(0);
  let bytes = 0;
  let chunks = 0;
  let isDone = false;
  const end = (problem?: HttpProblem) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
    // An error without a listener would end the process.
    request.on('error', () => undefined);
    if (problem === undefined) return done(undefined, buffer.subarray(0, bytes));
    discard(request);
    done(problem);
  };
  const onData = (chunk: Buffer) => {
    const needed = bytes + chunk.length;
    chunks += 1;
    if (chunks > MOST_SMALL_CHUNKS && needed < chunks * LEAST_AVERAGE_BYTES)
      return end(incomplete('arrives in too many pieces; send larger ones'));
    if (needed > bounds.bytes) return end(tooLong(bounds.bytes));
    if (needed > buffer.length) {
      const size = Math.min(most, Math.max(needed, GROWTH * buffer.length, FIRST_BYTES));
      const excess = held.add(size - buffer.length);
      if (excess !== undefined) return end(tooManyBytes(excess, shares, 'bodies'));
      const larger = Buffer.allocUnsafe(size);
      buffer.copy(larger, 0, 0, bytes);
      buffer = larger;
    }
    chunk.copy(buffer, bytes);
    bytes = needed;
  };
  const onEnd = () => end();
  const onLost = () => end(incomplete('did not arrive as announced; send it whole'));
  const timer = setTimeout(() => {
    end(incomplete(`did not arrive within ${bounds.ms / 1_000} s; send it faster`, 408));
  }, bounds.ms);
  request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
}

/**
 * Drops what is still parsed of a body. Thousands of pieces of one byte can be in the packet that is being parsed, and each
 * would be stored for a reader. Node does the same once an answer is sent.
 */
function discard(request: Request): void {
  (request as { _dump?: () => void })._dump?.();
}

function tooLong(most: number): HttpProblem {
  return invalid([{ field: 'body', message: `has more than ${most} bytes; send a smaller one` }], 413);
}

function incomplete(message: string, status = 400): HttpProblem {
  return invalid([{ field: 'body', message }], status);
}

/** Whether the connection of a refused request must close, because reading the rest of its body would cost too much. */
export function hasLongRest({ complete, headers }: Request): boolean {
  if (complete) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length ?? 0) > MOST_DISCARDED_BYTES;
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
