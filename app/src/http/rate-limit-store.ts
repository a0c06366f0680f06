// Where requests are counted: in this process, or in Redis for all instances together.
import { Redis } from 'ioredis';
import { MemoryStore, type ClientRateLimitInfo, type Options } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import type { Logger } from '../logging/logging.js';

/** Requests in the window that runs. */
export interface Count {
  readonly requests: number;
  /** When the window ends: milliseconds of this process's clock. */
  readonly resetAt: number;
}

/** Counters of one limiter. A counter's window begins with its first request. */
export interface LimitCounters {
  /** Counts a request, and says how many there are with it. */
  add(key: string): Promise<Count>;
  /** The same without counting; undefined when there was no request. */
  look(key: string): Promise<Count | undefined>;
}

/** Where counters are kept. */
export interface LimitStores {
  create(name: string, windowMs: number): LimitCounters;
  close(): Promise<void>;
}

/** Counters of this instance alone. */
export function memoryStores(): LimitStores {
  const all: MemoryCounters[] = [];
  return {
    create: (_name, windowMs) => {
      const counters = new MemoryCounters(windowMs);
      all.push(counters);
      return counters;
    },
    close: () => {
      for (const counters of all) counters.shutdown();
      return Promise.resolve();
    },
  };
}

class MemoryCounters implements LimitCounters {
  readonly #store = new MemoryStore();

  constructor(windowMs: number) {
    this.#store.init(optionsOf(windowMs));
  }

  async add(key: string): Promise<Count> {
    return toCount(await this.#store.increment(key));
  }

  async look(key: string): Promise<Count | undefined> {
    return current(await this.#store.get(key));
  }

  shutdown(): void {
    this.#store.shutdown();
  }
}

/** What the stores read of the options of express-rate-limit, whose middleware is not used. */
function optionsOf(windowMs: number): Options {
  return { windowMs } as Options;
}

function toCount({ totalHits, resetTime }: ClientRateLimitInfo): Count {
  return { requests: totalHits, resetAt: resetTime?.getTime() ?? Date.now() };
}

/** Stores may still have a window that has ended. */
function current(info: ClientRateLimitInfo | undefined): Count | undefined {
  const count = info === undefined ? undefined : toCount(info);
  return count !== undefined && count.resetAt > Date.now() ? count : undefined;
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
  const all: FallbackCounters[] = [];
  return {
    create: (name, windowMs) => {
      const counters = new FallbackCounters(redis, connected, `curvekit:limit:${name}:`, windowMs);
      all.push(counters);
      return counters;
    },
    close: () => {
      for (const counters of all) counters.shutdown();
      redis.disconnect();
      return Promise.resolve();
    },
  };
}

/** Redis while it answers, memory while it doesn't: limits go on, and requests with them. */
class FallbackCounters implements LimitCounters {
  readonly #memory: MemoryCounters;
  #shared: RedisStore | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly connected: Promise<void>,
    private readonly prefix: string,
    private readonly windowMs: number,
  ) {
    this.#memory = new MemoryCounters(windowMs);
  }

  add(key: string): Promise<Count> {
    return this.#either(
      async (shared) => toCount(await shared.increment(key)),
      () => this.#memory.add(key),
    );
  }

  look(key: string): Promise<Count | undefined> {
    return this.#either(
      async (shared) => current(await shared.get(key)),
      () => this.#memory.look(key),
    );
  }

  shutdown(): void {
    this.#memory.shutdown();
  }

  async #either<T>(inRedis: (store: RedisStore) => Promise<T>, inMemory: () => Promise<T>): Promise<T> {
    await this.connected;
    if (this.redis.status !== 'ready') return inMemory();
    try {
      return await inRedis(this.#sharedStore());
    } catch {
      return inMemory();
    }
  }

  /** Made when Redis is there, for it loads its scripts at once. */
  #sharedStore(): RedisStore {
    if (this.#shared === undefined) {
      this.#shared = new RedisStore({
        prefix: this.prefix,
        sendCommand: (command: string, ...args: string[]) =>
          this.redis.call(command, ...args) as Promise<RedisReply>,
      });
      // A script that did not load is loaded again by the next request.
      const forget = () => (this.#shared = undefined);
      this.#shared.init(optionsOf(this.windowMs)).catch(forget);
    }
    return this.#shared;
  }
}
