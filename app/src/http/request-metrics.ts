import type { Request, RequestHandler } from 'express';
import { Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures every request by method, route and status. Never by path, which would create a series for each address. */
export function requestMetrics(registry: Registry): RequestHandler {
  const duration = new Histogram({
    name: 'curvekit_http_request_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const known = new Map<string, Series>();
  const seriesOf = (method: string, route: string, status: number): Series => {
    const key = `${method} ${route} ${status}`;
    const found = known.get(key) ?? duration.labels(method, route, String(status));
    known.set(key, found);
    return found;
  };
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on('finish', () => {
      seriesOf(
        KNOWN_METHODS.has(request.method) ? request.method : 'other',
        routeOf(request) ?? 'none',
        response.statusCode,
      ).observe((performance.now() - startedAt) / 1e3);
    });
    next();
  };
}

/** The template of the route that answered: `/rewards/:address`. */
export function routeOf(request: Request): string | undefined {
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : undefined;
}

type Series = ReturnType<Histogram['labels']>;

export const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
