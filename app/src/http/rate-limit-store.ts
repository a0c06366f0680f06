import { Redis } from 'ioredis';
import { MemoryStore, type ClientRateLimitInfo, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import type { Logger } from '../logging.js';

/** Where counters are kept. */
export interface LimitStores {
  create(name: string): Store;
  close(): Promise<void>;
}

/** Counters of this instance alone. */
export function memoryStores(): LimitStores {
  const stores: MemoryStore[] = [];
  return {
    create: () => {
      const store = new MemoryStore();
      stores.push(store);
      return store;
    },
    close: () => {
      for (const store of stores) store.shutdown();
      return Promise.resolve();
    },
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
  const stores: FallbackStore[] = [];
  return {
    create: (name) => {
      const store = new FallbackStore(redis, connected, `curvekit:limit:${name}:`);
      stores.push(store);
      return store;
    },
    close: () => {
      for (const store of stores) store.shutdown();
      redis.disconnect();
      return Promise.resolve();
    },
  };
}

/** Redis while it answers, memory while it doesn't: limits go on, and requests with them. */
class FallbackStore implements Store {
  readonly localKeys = false;
  readonly #memory = new MemoryStore();
  #shared: RedisStore | undefined;
  #options: Options | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly connected: Promise<void>,
    readonly prefix: string,
  ) {}

  init(options: Options): void {
    this.#options = options;
    this.#memory.init(options);
  }

  increment(key: string): Promise<ClientRateLimitInfo> {
    return this.#either(
      (shared) => shared.increment(key),
      () => this.#memory.increment(key),
    );
  }

  async decrement(key: string): Promise<void> {
    await this.#either(
      (shared) => shared.decrement(key),
      () => this.#memory.decrement(key),
    );
  }

  async resetKey(key: string): Promise<void> {
    await this.#either(
      (shared) => shared.resetKey(key),
      () => this.#memory.resetKey(key),
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
      void this.#shared.init(this.#options!);
      // A script that did not load is loaded again by the next request.
      const forget = () => (this.#shared = undefined);
      void this.#shared.incrementScriptSha.then(undefined, forget);
      void this.#shared.getScriptSha.then(undefined, forget);
    }
    return this.#shared;
  }
}
