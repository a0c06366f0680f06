// The service's HTTP core with two small APIs, configured by the test.
import { pino } from 'pino';
import { readConfig } from '#app/config/config.js';
import type { Api } from '#app/http/api.js';
import { envelopeErrors, plainErrors } from '#app/http/error-shapes.js';
import type { Check } from '#app/http/health.js';
import type { LimitStores } from '#app/http/rate-limit-store.js';
import type { JsonText } from '#app/http/json.js';
import { defineRoute, type Route } from '#app/http/route.js';
import type { RunningServer } from '#app/http/server.js';
import { z } from '#app/http/zod.js';
import { serveApis } from './serve-apis.js';

const ANSWER = z.strictObject({ ok: z.boolean() });

/** A route whose handler the test provides. @param shared options of a public answer */
export function routeOf(
  path: string,
  handler: () => Promise<{ ok: boolean } | JsonText>,
  shared: { readonly cacheControl?: string; readonly version?: () => Promise<string | undefined> } = {},
): Route {
  return defineRoute({
    ...shared,
    method: 'get',
    path,
    operationId: path.replaceAll('/', '_'),
    summary: path,
    answer: ANSWER,
    answerDescription: 'Fine',
    handler,
  });
}

interface Started {
  readonly server: RunningServer;
  readonly logged: () => string;
}

/** Returns the function that starts it. Started servers are closed after each test of the surrounding `describe`. */
export function useHttpCore() {
  const running: Awaited<ReturnType<typeof serveApis>>[] = [];

  afterEach(async () => {
    for (const served of running.splice(0)) await served.close(100);
  });

  async function start({
    environment = {},
    routes = [],
    stores,
    checks = [],
    isClosing = () => false,
    apis = [],
  }: {
    environment?: Record<string, string>;
    routes?: readonly Route[];
    stores?: LimitStores;
    checks?: readonly Check[];
    isClosing?: () => boolean;
    /** Besides the two small ones. */
    apis?: readonly Api[];
  } = {}): Promise<Started> {
    const lines: string[] = [];
    const sink = { write: (line: string) => void lines.push(line) };
    const ok = () => Promise.resolve({ ok: true });
    const api = (name: string, prefix: string, errors: Api['errors'], more: readonly Route[] = []): Api => ({
      name,
      description: name,
      prefix,
      errors,
      routes: [routeOf(prefix, ok), ...more],
    });
    const { http } = readConfig(environment);
    const served = await serveApis({
      config: http,
      logger: pino({ level: 'info' }, sink),
      apis: [api('one', '/one', envelopeErrors, routes), api('two', '/two', plainErrors), ...apis],
      ...(stores && { stores }),
      healthChecks: checks,
      readyChecks: checks,
      isClosing,
    });
    running.push(served);
    return { server: served.server, logged: () => lines.join('') };
  }

  return start;
}
