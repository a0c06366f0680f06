// Counts requests in memory, or in Redis for all instances.
import { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterAbstract,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from '../logging/logging.js';

/** Requests in the current window. */
export interface Count {
  readonly requests: number;
  /** End of the window, by this process's clock, in Unix milliseconds. */
  readonly resetAt: number;
}

export interface LimitStores {
  create(name: string, windowSeconds: number): LimitCounters;
  close(): void;
}

/** Counters of one limiter. A counter's window begins with its first request. */
export class LimitCounters {
  /** @param connected resolves when the first connection attempt to the store has ended, with success or failure */
  constructor(
    private readonly limiter: RateLimiterAbstract,
    private readonly connected?: Promise<void>,
  ) {}

  /** Counts a request and returns the new count. */
  async add(key: string): Promise<Count> {
    await this.connected;
    return toCount(await this.limiter.penalty(key));
  }

  /** Returns the count without adding to it; undefined when the window has no request. */
  async look(key: string): Promise<Count | undefined> {
    await this.connected;
    const found = await this.limiter.get(key);
    return found === null || found.msBeforeNext <= 0 ? undefined : toCount(found);
  }
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { requests: consumedPoints, resetAt: Date.now() + msBeforeNext };
}

/** The limiters only count. The caller knows the limit. */
const points = Number.MAX_SAFE_INTEGER;

/** Counters of this instance only. */
export function memoryStores(): LimitStores {
  return {
    create: (keyPrefix, duration) =>
      new LimitCounters(new RateLimiterMemory({ keyPrefix, points, duration })),
    close: () => undefined,
  };
}

const COMMAND_TIMEOUT_MS = 1_000;
const RECONNECT_MS = 1_000;

/** Counters in Redis, shared by all instances. While Redis is unavailable, each instance counts its own requests. */
export function redisStores(url: string, logger: Logger): LimitStores {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
    lazyConnect: true,
  });
  // Redis emits an event for every failed attempt. Only a change of state is logged.
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.error({ err: error }, 'Redis does not answer: this instance counts requests by itself');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is back');
    away = false;
  });
  const connected = redis.connect().catch(() => undefined);
  return {
    create: (name, duration) => {
      const options = { keyPrefix: `curvekit:limit:${name}`, points, duration };
      const insuranceLimiter = new RateLimiterMemory(options);
      const limiter = new RateLimiterRedis({
        ...options,
        storeClient: redis,
        rejectIfRedisNotReady: true,
        insuranceLimiter,
      });
      return new LimitCounters(limiter, connected);
    },
    close: () => redis.disconnect(),
  };
}
