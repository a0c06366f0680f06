// Helmet's headers. They are the same in every answer, so helmet computes them once.
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Helmet's defaults, without the directive that would redirect a plain-HTTP installation to HTTPS. */
const OPTIONS = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

export function securityHeaders(): RequestHandler {
  const headers = headersOfHelmet();
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function headersOfHelmet(): [name: string, value: string][] {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  let isDone = false;
  helmet(OPTIONS)({} as never, recorder as never, () => (isDone = true));
  if (!isDone || headers.size === 0) throw new Error('helmet did not set its headers');
  return [...headers];
}
