// Over Redis, one instance hands the events that it has read to all others, so that one read of the table serves all of them. The
// table stays the truth: an instance that misses a batch, or whose Redis is gone, reads the table itself.
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../base/logging/logging.js';
import { redisClient } from '../../db/redis.js';
import type { EventRow } from './feed.js';

export interface Relay {
  /** Whether batches of other instances arrive, so that this instance need not read. */
  readonly isServed: boolean;
  /** Takes part: every instance of this scope gets the batches of the others. */
  join(scope: string): Promise<void>;
  /** Stops reading for others. */
  leave(): void;
  /** Hands a batch to the other instances, if this one reads for them. */
  hand(batch: Batch): void;
  stop(): void;
}

/** Events that follow one another. */
export interface Batch {
  /** The id of the event before them. */
  readonly after: bigint;
  readonly events: readonly EventRow[];
}

const PREFIX = 'curvekit:market-events';
/** How long an instance reads for the others without renewing it. */
const LEASE_MS = 2_000;
const RENEWAL_MS = LEASE_MS / 4;

/** Takes or renews the lease. @returns 1 if this instance has it */
const LEASE = `
  local holder = redis.call('get', KEYS[1])
  if holder == ARGV[1] or not holder then
    redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
    return 1
  end
  return 0`;
/** Gives the lease back. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

type Handed = Omit<EventRow, 'id'> & { readonly id: string };

export function redisRelay(
  url: string,
  {
    logger,
    onBatch,
  }: {
    readonly logger: Logger;
    readonly onBatch: (batch: Batch) => void;
  },
): Relay {
  const instance = randomUUID();
  const [commands, subscription] = [redisClient(url), redisClient(url)];
  let scope: string | undefined;
  let [leads, isAnswered, isSubscribed] = [false, false, false];
  const ignore = () => undefined;
  // The rate limits, which use the same Redis, log that it is away.
  for (const redis of [commands, subscription]) redis.on('error', ignore);
  commands.on('close', () => (leads = isAnswered = false));
  subscription.on('close', () => (isSubscribed = false));
  subscription.on('ready', () => {
    void subscribe();
  });
  subscription.on('message', (_, text: string) => {
    const batch = read(text);
    if (batch !== undefined) onBatch(batch);
    else logger.warn('a batch of market events in Redis cannot be read; the table is read instead');
  });

  async function subscribe(): Promise<void> {
    if (scope === undefined || subscription.status !== 'ready') return;
    isSubscribed = await subscription.subscribe(`${PREFIX}:${scope}`).then(
      () => true,
      () => false,
    );
  }
  async function renew(): Promise<void> {
    if (scope === undefined) return;
    // A subscription sends nothing by itself, so without a question it would not notice that Redis is gone.
    if (isSubscribed) void subscription.ping().catch(ignore);
    const held = await commands.eval(LEASE, 1, `${PREFIX}:${scope}:reader`, instance, LEASE_MS).catch(ignore);
    [leads, isAnswered] = [held === 1, held !== undefined];
  }
  const renewing = setInterval(() => void renew(), RENEWAL_MS).unref();

  return {
    get isServed() {
      return isSubscribed && isAnswered && !leads;
    },
    async join(joined) {
      scope = joined;
      if (commands.status === 'wait')
        await Promise.all([commands, subscription].map((redis) => redis.connect().catch(ignore)));
      await Promise.all([subscribe(), renew()]);
    },
    leave() {
      const left = scope;
      [scope, leads] = [undefined, false];
      if (left === undefined || commands.status !== 'ready') return;
      void commands.eval(RELEASE, 1, `${PREFIX}:${left}:reader`, instance).catch(ignore);
    },
    hand({ after, events }) {
      if (!leads || scope === undefined) return;
      const text = JSON.stringify({
        after: String(after),
        events: events.map((event) => ({ ...event, id: String(event.id) })),
      });
      void commands.publish(`${PREFIX}:${scope}`, text).catch(ignore);
    },
    stop() {
      clearInterval(renewing);
      commands.disconnect();
      subscription.disconnect();
    },
  };
}

function read(text: string): Batch | undefined {
  try {
    const { after, events } = JSON.parse(text) as { after: string; events: readonly Handed[] };
    return { after: BigInt(after), events: events.map((event) => ({ ...event, id: BigInt(event.id) })) };
  } catch {
    return undefined;
  }
}
