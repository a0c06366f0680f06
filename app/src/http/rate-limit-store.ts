// Counts requests in memory, or in Redis for all instances.
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '../base/logging/logging.js';
import { redisClient } from '../db/redis.js';
import { WindowCounters } from './window-counters.js';

export interface Count {
  readonly requests: number;
  /** End of the window, by this process's clock, in Unix milliseconds. */
  readonly resetAt: number;
}

export interface LimitStores {
  create(name: string, windowSeconds: number): LimitCounters;
  /** False while Redis, where the counters should be, does not answer. */
  answers(): Promise<boolean>;
  close(): void;
}

/** Counters of one limiter. A counter's window begins with its first request. */
export interface LimitCounters {
  add(key: string): Promise<Count> | Count;
  /** Returns the count without adding to it; undefined when the window has no request. */
  look(key: string): Promise<Count | undefined> | Count | undefined;
}

/** Counters of this instance only. */
export function memoryStores(): LimitStores {
  return {
    create: (_name, windowSeconds) => new WindowCounters(windowSeconds),
    answers: () => Promise.resolve(true),
    close: () => undefined,
  };
}

/** Counters in Redis. While Redis is unavailable, this instance counts by itself. */
class RedisCounters implements LimitCounters {
  readonly #here: WindowCounters;

  /** @param connected resolves when the first connection attempt has ended, with success or failure */
  constructor(
    private readonly limiter: RateLimiterRedis,
    windowSeconds: number,
    private readonly connected: Promise<void>,
  ) {
    this.#here = new WindowCounters(windowSeconds);
  }

  async add(key: string): Promise<Count> {
    await this.connected;
    try {
      return toCount(await this.limiter.penalty(key));
    } catch {
      return this.#here.add(key);
    }
  }

  async look(key: string): Promise<Count | undefined> {
    await this.connected;
    try {
      const found = await this.limiter.get(key);
      return found === null || found.msBeforeNext <= 0 ? undefined : toCount(found);
    } catch {
      return this.#here.look(key);
    }
  }
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { requests: consumedPoints, resetAt: Date.now() + msBeforeNext };
}

/** The limiters only count. The caller knows the limit. */
const points = Number.MAX_SAFE_INTEGER;

/** Counters in Redis, shared by all instances. While Redis is unavailable, each instance counts its own requests. */
export function redisStores(url: string, logger: Logger): LimitStores {
  const redis = redisClient(url);
  // Redis emits an event for every failed attempt. Only a change of state is logged.
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away)
      logger.error(
        { err: error },
        'Redis does not answer; until it does, each instance counts requests by itself. Check REDIS_URL',
      );
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is back');
    away = false;
  });
  const connected = redis.connect().catch(() => undefined);
  return {
    create: (name, duration) => {
      const limiter = new RateLimiterRedis({
        keyPrefix: `curvekit:limit:${name}`,
        points,
        duration,
        storeClient: redis,
        rejectIfRedisNotReady: true,
      });
      return new RedisCounters(limiter, duration, connected);
    },
    answers: async () => {
      await connected;
      return redis.ping().then(
        () => true,
        () => false,
      );
    },
    close: () => redis.disconnect(),
  };
}
