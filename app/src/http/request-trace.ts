// A span for each request, named by its route. It has no address of a client or a wallet, no header and no body.
import { context, SpanStatusCode } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { startRequestSpan } from '../base/tracing/spans.js';
import { isProbe } from './request-log.js';
import { KNOWN_METHODS, routeOf } from './request-metrics.js';

/** Continues the caller's trace, if it names one by `traceparent`. Monitoring's probes have no span. */
export function requestTrace(): RequestHandler {
  return (request, response, next) => {
    if (isProbe(request.url)) return next();
    const method = KNOWN_METHODS.has(request.method) ? request.method : '_OTHER';
    const { span, within } = startRequestSpan(method, request.headers);
    request.log.nameTrace(span.spanContext().traceId);
    response.on('close', () => {
      const { statusCode, writableEnded } = response;
      const route = routeOf(request);
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', statusCode);
      if (!writableEnded) span.setAttribute('error.type', 'aborted');
      else if (statusCode >= 500)
        span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    // The body arrives in events, which would be outside the span otherwise.
    context.bind(within, request);
    context.with(within, next);
  };
}
