// Whether the service lives, whether it can do its work, and its metrics. None of these is limited.
import { Router } from 'express';
import type { Registry } from 'prom-client';
import { withinTime } from '../time-limit.js';
import { sendJson } from './route.js';

/** Something that the service needs. `run` throws what is wrong with it. */
export interface Check {
  readonly name: string;
  /** How long its result is kept; 1,000 ms by default. */
  readonly keptMs?: number;
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

const CHECK_TIMEOUT_MS = 5_000;
const DEFAULT_KEPT_MS = 1_000;

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

/** Runs a check at most once at a time and once in a while: anyone may ask, as often as they like. */
function reading(check: Check): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  const forget = () => (current = undefined);
  const forgetLater = () => setTimeout(forget, check.keptMs ?? DEFAULT_KEPT_MS).unref();
  return () => (current ??= run(check).finally(forgetLater));
}

async function run(check: Check): Promise<Result> {
  try {
    await withinTime(check.run(), CHECK_TIMEOUT_MS, check.name);
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  }
}
