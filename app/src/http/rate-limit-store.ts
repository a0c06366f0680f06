// Where requests are counted: in this process, or in Redis for all instances together.
import { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterAbstract,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from '../logging/logging.js';

/** Requests in the window that runs. */
export interface Count {
  readonly requests: number;
  /** When the window ends: milliseconds of this process's clock. */
  readonly resetAt: number;
}

/** Where counters are kept. */
export interface LimitStores {
  create(name: string, windowSeconds: number): LimitCounters;
  close(): void;
}

/** Counters of one limiter. A counter's window begins with its first request. */
export class LimitCounters {
  /** @param connected settles when the store was reached for the first time, or was not */
  constructor(
    private readonly limiter: RateLimiterAbstract,
    private readonly connected?: Promise<void>,
  ) {}

  /** Counts a request, and says how many there are with it. */
  async add(key: string): Promise<Count> {
    await this.connected;
    return toCount(await this.limiter.penalty(key));
  }

  /** The same without counting; undefined when there was no request. */
  async look(key: string): Promise<Count | undefined> {
    await this.connected;
    const found = await this.limiter.get(key);
    return found === null || found.msBeforeNext <= 0 ? undefined : toCount(found);
  }
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { requests: consumedPoints, resetAt: Date.now() + msBeforeNext };
}

/** The limiters only count: who asks knows the limit. */
const points = Number.MAX_SAFE_INTEGER;

/** Counters of this instance alone. */
export function memoryStores(): LimitStores {
  return {
    create: (keyPrefix, duration) =>
      new LimitCounters(new RateLimiterMemory({ keyPrefix, points, duration })),
    close: () => undefined,
  };
}

const COMMAND_TIMEOUT_MS = 1_000;
const RECONNECT_MS = 1_000;

/** Counters in Redis, shared by all instances. While Redis is away each instance counts for itself. */
export function redisStores(url: string, logger: Logger): LimitStores {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
    lazyConnect: true,
  });
  // Each failed attempt is an event; the change of state is what an operator wants to read.
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.error({ err: error }, 'Redis is away: this instance counts requests for itself');
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
