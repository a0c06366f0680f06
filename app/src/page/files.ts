// Serves the page's files compressed, with caching headers.
import type { Request, RequestHandler, Response } from 'express';
import type { BuiltPage, PageFile } from './built-page.js';

const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';

/** Answers with the page's files, and passes other paths on. */
export function pageFiles({ files }: BuiltPage): RequestHandler {
  return (request, response, next) => {
    const file = isReading(request) ? files.get(request.path) : undefined;
    if (file === undefined) next();
    else sendFile(request, response, file);
  };
}

export function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function sendFile(request: Request, response: Response, file: PageFile): void {
  response
    .type(file.extension)
    .set('Cache-Control', file.isImmutable ? FOR_EVER : FOR_AN_HOUR)
    .set('ETag', file.etag)
    .vary('Accept-Encoding');
  if (request.fresh) return void response.status(304).end();
  const { encoding, bytes } = bestOf(request, file);
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

function bestOf(request: Request, { bytes, br, gzip }: PageFile) {
  const offered = { br, gzip };
  const names = (['br', 'gzip'] as const).filter((name) => offered[name] !== undefined);
  const encoding = request.acceptsEncodings([...names, 'identity']);
  if (encoding !== 'br' && encoding !== 'gzip') return { encoding: undefined, bytes };
  return { encoding, bytes: offered[encoding]! };
}
