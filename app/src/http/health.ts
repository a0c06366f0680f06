// `/health`, `/ready` and `/metrics`. They have no rate limit.
import { Router } from 'express';
import type { Registry } from 'prom-client';
import { TimeoutError, withTimeout } from '@curvekit/sdk';
import { hideSecrets } from '../base/secrets.js';
import { sendJson } from './route.js';

/** A check of a dependency of the service. `run` throws an error that says what is wrong, or a {@link CheckWarning}. */
export interface Check {
  readonly name: string;
  /** How long the result is cached. 1,000 ms by default. */
  readonly keptMs?: number;
  /** Timeout of a run. 5,000 ms by default. */
  readonly timeoutMs?: number;
  /** A run that takes longer is given up, and a new one may start. 10,000 ms by default, and at least the timeout. */
  readonly givenUpMs?: number;
  readonly run: () => Promise<void>;
}

/** Thrown when a check could not run. It is retried soon, even if its results are normally cached for long. */
export class NotCheckedError extends Error {
  override readonly name = 'NotCheckedError';
}

/**
 * Thrown for a problem that the operator must know but that does not stop the instance. `/ready` reports it and stays 200.
 */
export class CheckWarning extends Error {
  override readonly name = 'CheckWarning';
}

export interface HealthOptions {
  /** Reported by `/health`, which never fails because of them: restarting the process would not help. */
  readonly healthChecks: readonly Check[];
  /** Reported by `/ready`, which fails when one of them fails. */
  readonly readyChecks: readonly Check[];
  /** Whether the service is shutting down and accepts no new work. */
  readonly isClosing: () => boolean;
  readonly registry: Registry;
  /** Whether it is for the public: then there are no details, and no metrics. */
  readonly isPublic?: boolean;
}

export interface Result {
  /** `ok`, `warning: …`, or the problem. */
  readonly says: string;
  /** Whether the instance can work. */
  readonly passes: boolean;
}

const CHECK_TIMEOUT_MS = 5_000;
const DEFAULT_KEPT_MS = 1_000;
const METRICS_KEPT_MS = 250;
/** A dependency that swallowed one request must not fail the check for as long as that request hangs. */
const GIVEN_UP_MS = 10_000;

export function healthRouter(options: HealthOptions): Router {
  const { healthChecks, readyChecks, isClosing, registry, isPublic = false } = options;
  const results = (checks: readonly Check[]) =>
    Promise.all(checks.map(async (check) => ({ name: check.name, ...(await resultOf(check)) })));
  const shown = (found: readonly (Result & { readonly name: string })[]) =>
    isPublic ? {} : { checks: Object.fromEntries(found.map(({ name, says }) => [name, says])) };

  // Exactly these paths: a proxy blocks `/metrics`, and not `/METRICS` or `/metrics/`.
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/health', async (_request, response) => {
    sendJson(response, 200, { status: 'ok', ...shown(isPublic ? [] : await results(healthChecks)) });
  });
  router.get('/ready', async (_request, response) => {
    const found = await results(readyChecks);
    const ready = !isClosing() && found.every(({ passes }) => passes);
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ready' : isClosing() ? 'closing' : 'not ready',
      ...shown(found),
    });
  });
  if (isPublic) return router;
  let metrics: Promise<string> | undefined;
  router.get('/metrics', async (_request, response) => {
    // Any client can ask at any rate, and writing them takes milliseconds.
    metrics ??= registry
      .metrics()
      .finally(() => setTimeout(() => (metrics = undefined), METRICS_KEPT_MS).unref());
    response
      .set('Cache-Control', 'no-store')
      .type(registry.contentType)
      .send(await metrics);
  });
  return router;
}

const readings = new WeakMap<Check, () => Promise<Result>>();

/** Runs a check at most once at a time and caches the result, because any client can request it at any rate. */
export function resultOf(check: Check): Promise<Result> {
  const made = readings.get(check) ?? reading(check);
  readings.set(check, made);
  return made();
}

/** For a metric that the check sets. */
export const looksAt = (check: Check) => async (): Promise<void> => void (await resultOf(check));

function reading({
  name,
  run,
  keptMs = DEFAULT_KEPT_MS,
  timeoutMs = CHECK_TIMEOUT_MS,
  givenUpMs = GIVEN_UP_MS,
}: Check): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  let running: Promise<void> | undefined;

  async function read(): Promise<Result> {
    let kept = keptMs;
    try {
      // Waits for a slow run instead of starting a second one.
      running ??= started();
      await withTimeout(running, timeoutMs, name);
      return { says: 'ok', passes: true };
    } catch (error) {
      if (error instanceof CheckWarning)
        return { says: hideSecrets(`warning: ${error.message}`), passes: true };
      if (error instanceof NotCheckedError || error instanceof TimeoutError)
        kept = Math.min(kept, DEFAULT_KEPT_MS);
      return { says: hideSecrets((error as Error).message), passes: false };
    } finally {
      setTimeout(() => (current = undefined), kept).unref();
    }
  }

  function started(): Promise<void> {
    const done = () => {
      clearTimeout(givingUp);
      if (running === made) running = undefined;
    };
    const made = run().finally(done);
    const givingUp = setTimeout(done, Math.max(givenUpMs, timeoutMs));
    givingUp.unref();
    return made;
  }

  return () => (current ??= read());
}
