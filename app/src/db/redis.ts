import { Redis } from 'ioredis';

const COMMAND_TIMEOUT_MS = 1_000;
const RECONNECT_MS = 1_000;

/**
 * A client that connects on demand, and again after each loss. While Redis is gone a command fails at once: nothing in the service waits
 * for Redis. A connection on which a command gets no answer is given up, so a Redis that froze delays requests for a second in all: the new
 * connection counts only once Redis answers on it.
 */
export function redisClient(url: string): Redis {
  return new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
    lazyConnect: true,
  });
}
