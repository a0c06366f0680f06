// Checks of the public URL, the proxies and the rate limits.
import { Redis } from 'ioredis';
import type { Config } from '../../config/config.js';
import { failure, ok, reasonOf, warning, type Finding } from './finding.js';

const TIMEOUT_MS = 3_000;

/** Behind a proxy that is not configured, all clients share one rate limit. */
export function checkProxy({ http }: Config): Finding {
  const subject = 'proxies';
  if (http.publicUrl !== undefined && http.trustProxy === 0) {
    return warning(
      subject,
      `${http.publicUrl} seems to be a proxy, and none is trusted: all clients would share one limit`,
      'set TRUST_PROXY to the number of proxies in front of the service',
      'ProxyNotTrusted',
    );
  }
  return ok(
    subject,
    http.trustProxy === 0 ? 'none; X-Forwarded-For is ignored' : `trusted: ${String(http.trustProxy)}`,
  );
}

/** Redis answers, if the limits are shared. */
export async function checkRedis({ redisUrl, database }: Config): Promise<Finding> {
  const subject = 'rate limits';
  if (redisUrl === undefined) {
    const detail = 'counted in the memory of each instance';
    return database.kind === 'pglite'
      ? ok(subject, detail)
      : warning(subject, detail, 'set REDIS_URL when there are several instances', 'LimitsNotShared');
  }
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
  });
  // Says why `connect()` fails with nothing but "Connection is closed.".
  let cause: unknown;
  redis.on('error', (error) => (cause = error));
  try {
    await redis.connect();
    await redis.ping();
    return ok(subject, 'shared in Redis');
  } catch (error) {
    const reason = reasonOf(cause ?? error);
    return failure(
      subject,
      `Redis at ${new URL(redisUrl).host} does not answer: ${reason}`,
      /certificate|self-signed/i.test(reason)
        ? "set NODE_EXTRA_CA_CERTS=FILE to the certificate of the provider's CA, in the environment of the process, or correct the host in REDIS_URL"
        : 'start Redis, or correct REDIS_URL',
      'RedisUnreachable',
    );
  } finally {
    redis.disconnect();
  }
}
