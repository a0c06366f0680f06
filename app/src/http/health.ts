// Whether the service lives, whether it can do its work, and its metrics. None of these is limited.
import { Router } from 'express';
import type { Registry } from 'prom-client';
import { sendJson } from './route.js';

/** Something that the service needs. `run` throws what is wrong with it. */
export interface Check {
  readonly name: string;
  run(): Promise<void>;
}

export interface HealthOptions {
  /** Said by `/health`, without making it fail: a new process would not mend them. */
  readonly healthChecks: readonly Check[];
  /** Said by `/ready`, which fails with any of them. */
  readonly readyChecks: readonly Check[];
  /** Whether the service is shutting down: no new work, please. */
  readonly isClosing: () => boolean;
  readonly registry: Registry;
}

/** `ok`, or what is wrong. */
type Result = string;

/** How long a check may take, and how long its result is kept: anyone may ask, as often as they like. */
const CHECK_TIMEOUT_MS = 3_000;
const RESULT_KEPT_MS = 1_000;

/** `/health`, `/ready` and `/metrics`. */
export function healthRouter({ healthChecks, readyChecks, isClosing, registry }: HealthOptions): Router {
  const readings = new Map([...healthChecks, ...readyChecks].map((check) => [check.name, reading(check)]));
  const results = async (checks: readonly Check[]): Promise<Record<string, Result>> =>
    Object.fromEntries(
      await Promise.all(checks.map(async ({ name }) => [name, await readings.get(name)!()] as const)),
    );

  const router = Router();
  router.get('/health', async (_request, response) => {
    sendJson(response, 200, { status: 'ok', checks: await results(healthChecks) });
  });
  router.get('/ready', async (_request, response) => {
    const checks = await results(readyChecks);
    const ready = !isClosing() && Object.values(checks).every((result) => result === 'ok');
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ready' : isClosing() ? 'closing' : 'not ready',
      checks,
    });
  });
  router.get('/metrics', async (_request, response) => {
    response
      .set('Cache-Control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
  return router;
}

/** Runs a check at most once at a time and once in a while. */
function reading(check: Check): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () =>
    (current ??= limited(() => check.run()).finally(() =>
      setTimeout(() => (current = undefined), RESULT_KEPT_MS).unref(),
    ));
}

async function limited(run: () => Promise<void>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([run(), late]);
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(timer);
  }
}
