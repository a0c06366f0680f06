// APIs behind the service's HTTP core, without the rest of the service.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createApp, type AppOptions } from '#app/http/app.js';
import { memoryStores } from '#app/http/rate-limit-store.js';
import { listen } from '#app/http/server.js';

/** @param port 0 picks a free port */
export async function serveApis(
  { stores = memoryStores(), ...options }: Pick<AppOptions, 'config' | 'apis'> & Partial<AppOptions>,
  port = 0,
) {
  const { app, document } = createApp({
    ...{ serviceName: 'Test', version: '1.0.0', isClosing: () => false, healthChecks: [], readyChecks: [] },
    ...{ logger: pino({ level: 'silent' }), registry: new Registry(), stores, ...options },
  });
  const server = await listen(app, { ...options.config, host: '127.0.0.1', port });
  const close = async (timeoutMs = 1_000) => {
    await server.close(timeoutMs);
    stores.close();
  };
  return { server, document, close };
}
