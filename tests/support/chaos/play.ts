// Kills the service again and again while it works and things around it fail. After each kill it checks that the ledger is
// exact, that the chain and the database agree, and that the next process goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { statement, type Database } from '#app/db/database.js';
import { buyTokens } from '../program/tokens.js';
import { claimSol } from '../service/claiming.js';
import { reward } from '../service/rewards.js';
import { whileFinalizing } from '../service/service-context.js';
import { eventually } from '../service/service.js';
import { ACTIVITIES, nextAmount, type Activity } from './activities.js';
import { auditAtRest, type Seen } from './audit.js';
import { finish, type Finished } from './finish.js';
import { DIRECT_MINT, type World } from './world.js';
import type { Random } from '../../../scripts/random.js';
import { RpcFailure, HttpFailure, type Rewrite } from '../node/rpc-proxy.js';
import { limitFileSize } from '../process/file-size.js';
import { FULL_DISK_BYTES, type StoreKind } from './store.js';

const REWARD = 10_000_000n;
const WALLETS_AT_ONCE = 8;
/** The others are for the activity. */
const WALLETS_FOR_THE_STORY = 4;
/** The story goes on within this time after a start, on a busy machine too. */
const GOES_ON_WITHIN_MS = 60_000;
const LAST_LINES = 5;

export interface Plan {
  readonly kills: number;
  /** No kill begins later. */
  readonly untilMs?: number;
  /** The activities that are killed, all by default. */
  readonly activities?: readonly Activity[] | undefined;
  /** Called before the first start, to break the database on purpose. */
  readonly sabotage?: ((database: Database) => Promise<void>) | undefined;
  /** Called after each kill with their number. */
  readonly progress?: ((killed: number) => void) | undefined;
}

export interface Played extends Finished {
  readonly kills: number;
  /** From the first start to the last kill. */
  readonly seconds: number;
  readonly activities: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
}

/** What several runs did together. */
export function sumOf(all: readonly Played[]): Played {
  const sum = (counts: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
    const total: Record<string, number> = {};
    for (const one of counts)
      for (const [name, count] of Object.entries(one)) total[name] = (total[name] ?? 0) + count;
    return total;
  };
  const { kills, seconds, settlements, graduations } = sum(
    all.map((one) => ({
      ...{ kills: one.kills, seconds: one.seconds },
      ...{ settlements: one.settlements, graduations: one.graduations },
    })),
  ) as Record<'kills' | 'seconds' | 'settlements' | 'graduations', number>;
  return {
    ...{ kills, seconds, settlements, graduations },
    claims: sum(all.map(({ claims }) => claims)),
    activities: sum(all.map(({ activities }) => activities)),
    faults: sum(all.map(({ faults }) => faults)),
  };
}

/** @throws with the number of the kill, what was killed and the fault, when something is wrong */
export async function play(world: World, plan: Plan): Promise<Played> {
  const { kills, untilMs, activities = ACTIVITIES, sabotage, progress } = plan;
  const began = performance.now();
  const seen: Seen = { landed: new Map() };
  const counts = { activities: {} as Record<string, number>, faults: {} as Record<string, number> };
  const count = (of: Record<string, number>, name: string): number => (of[name] = (of[name] ?? 0) + 1);
  if (sabotage !== undefined) await world.store.read(sabotage);
  let killed = 0;
  await whileFinalizing(world.cluster, async () => {
    let free = await world.store.read((database) => creditFree(world, database));
    while (killed < kills && performance.now() - began < (untilMs ?? Infinity)) {
      const activity = activities[world.random.below(activities.length)]!;
      const fault = randomFault(world);
      let wasKilled: boolean;
      try {
        await world.start();
        await goesOn(world, free.splice(0, WALLETS_FOR_THE_STORY));
        wasKilled = await killDuring(world, activity, fault, free);
        if (wasKilled) killed += 1;
        free = await world.store.read(async (database) => {
          const problems = await auditAtRest(world, database.queries, seen);
          if (problems.length > 0) throw new Error(problems.join('\n'));
          return creditFree(world, database);
        });
      } catch (error) {
        const where = `kill ${killed}, ${activity.name}, fault: ${fault.name}`;
        const found = await problemsAfter(world, seen);
        throw new Error([`${where}: ${(error as Error).message}`, ...found].join('\n'), { cause: error });
      }
      if (!wasKilled) continue;
      count(counts.activities, activity.name);
      count(counts.faults, fault.name);
      progress?.(killed);
    }
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  return { kills: killed, seconds, ...counts, ...(await finish(world, seen)) };
}

/** Why the story does not go on: what the chain and the database say, and the last lines of the service's log. */
async function problemsAfter(world: World, seen: Seen): Promise<string[]> {
  const { service, store } = world;
  if (service === undefined) return [];
  const said = service
    .logged()
    .slice(-LAST_LINES)
    .map((line) => JSON.stringify(line));
  await service.kill();
  world.service = undefined;
  return [...(await store.read(({ queries }) => auditAtRest(world, queries, seen))), ...said];
}

/** Credits some wallets without a claim in progress. */
async function creditFree(world: World, database: Database): Promise<Keypair[]> {
  const rows = await statement<{ wallet: string }>(database.queries)`
    select wallet from claims where state = 'IN_PROGRESS'`;
  const busy = new Set(rows.map(({ wallet }) => wallet));
  const free = world.wallets.filter(({ publicKey }) => !busy.has(publicKey.toBase58()));
  const first = world.random.below(free.length);
  const chosen = Array.from({ length: WALLETS_AT_ONCE }, (_, index) => free[(first + index) % free.length]!);
  for (const { publicKey } of chosen) {
    await reward(database, publicKey, DIRECT_MINT, 'SOL', REWARD);
    const address = publicKey.toBase58();
    world.credited.set(address, (world.credited.get(address) ?? 0n) + REWARD);
  }
  return chosen;
}

/** A wallet claims and is paid, and a trade appears, with nothing wrong around the service. */
async function goesOn(world: World, wallets: readonly Keypair[]): Promise<void> {
  const { cluster, traded, service } = world;
  const trade = buyTokens(cluster, traded, cluster.payer, nextAmount());
  let answer = '';
  let attempt = 0;
  const claimed = eventually(
    async () => {
      // A claim that was too late stays in progress for a while, so the next attempt is another wallet's.
      const transaction = await claimSol(service!, wallets[attempt % wallets.length]!, DIRECT_MINT);
      if (transaction === undefined) return false;
      attempt += 1;
      world.handedOut.add(bs58.encode(transaction.signatures[0]!));
      return cluster.sendSigned(transaction).then(
        () => true,
        (error: unknown) => {
          answer = String(error);
          return false;
        },
      );
    },
    () => `a claim after the start: ${answer}`,
    GOES_ON_WITHIN_MS,
  );
  const { signature } = await trade;
  const indexed = eventually(
    async () => {
      const { publicKey } = cluster.payer;
      const path = `/v1/market/wallets/${publicKey.toBase58()}/trades?limit=20`;
      const response = await fetch(`${service!.url}${path}`);
      return response.ok && (await response.text()).includes(signature);
    },
    'a trade in the index after the start',
    GOES_ON_WITHIN_MS,
  );
  await Promise.all([claimed, indexed]);
}

/** @returns whether the process was killed, and had not ended by itself before */
async function killDuring(
  world: World,
  activity: Activity,
  fault: Fault,
  wallets: readonly Keypair[],
): Promise<boolean> {
  const moment = world.random.below(activity.longestMs);
  const faultFirst = world.random.chance(50);
  if (faultFirst) await fault.begin(world);
  const others = await activity.begin(world, wallets);
  if (!faultFirst) await fault.begin(world);
  await sleep(moment);
  const wasKilled = await world.service!.kill();
  world.service = undefined;
  await fault.end(world);
  await Promise.all(others);
  return wasKilled;
}

// What goes wrong around a service while it works and is killed.

interface Fault {
  readonly name: string;
  /** The databases that it exists for. */
  readonly on?: StoreKind;
  begin(world: World): Promise<void> | void;
  end(world: World): Promise<void> | void;
}

const nothing = (): void => undefined;

const node = (name: string, rewriteOf: (world: World) => Promise<Rewrite> | Rewrite): Fault => ({
  name,
  begin: async (world) => world.proxy.rewrite(await rewriteOf(world)),
  end: ({ proxy }) => proxy.rewrite(undefined),
});

/** Percent of the kills that happen without a fault. */
const SHARE_WITHOUT = 40;

const NO_FAULT: Fault = { name: 'none', begin: nothing, end: nothing };

const FAULTS: readonly Fault[] = [
  {
    name: 'database restarts',
    on: 'postgres',
    begin: ({ store, random }) => store.restart!(random.chance(50) ? 'fast' : 'immediate'),
    end: nothing,
  },
  {
    name: 'disk full',
    on: 'postgres',
    begin: ({ store }) => store.setFull!(true),
    end: ({ store }) => store.setFull!(false),
  },
  {
    name: 'disk full',
    on: 'pglite',
    begin: ({ service }) => limitFileSize(service!.pid, FULL_DISK_BYTES),
    end: nothing,
  },
  {
    name: 'Redis gone',
    on: 'postgres',
    begin: ({ store }) => store.setRedis!(false),
    end: ({ store }) => store.setRedis!(true),
  },
  {
    name: 'Redis frozen',
    on: 'postgres',
    begin: ({ store }) => store.setRedisFrozen!(true),
    end: ({ store }) => store.setRedisFrozen!(false),
  },
  { name: 'node down', begin: ({ proxy }) => proxy.setDown(true), end: ({ proxy }) => proxy.setDown(false) },
  {
    name: 'node hangs',
    begin: ({ proxy }) => proxy.setHanging(true),
    end: ({ proxy }) => proxy.setHanging(false),
  },
  node('node lags', async ({ cluster }) => lagging(await cluster.connection.getSlot('confirmed'))),
  node('node forks', () => forking),
  node('node lies', ({ noise }) => lying(noise)),
];

function randomFault({ random, store }: World): Fault {
  if (random.chance(SHARE_WITHOUT)) return NO_FAULT;
  const possible = FAULTS.filter(({ on = store.kind }) => on === store.kind);
  return possible[random.below(possible.length)]!;
}

interface Placed {
  readonly slot: number;
}
interface Status extends Placed {
  readonly confirmationStatus: string;
}
interface Valued<T> {
  readonly context: Placed;
  readonly value: T;
}

/** A node that knows nothing after a slot: it is behind, and stays there. */
function lagging(newest: number): Rewrite {
  const known = ({ slot }: Placed): boolean => slot <= newest;
  return ({ method }, result) => {
    if (result === undefined || result === null) return result;
    switch (method) {
      case 'getSlot':
        return Math.min(result as number, newest);
      case 'getTransaction':
        return known(result as Placed) ? result : null;
      case 'getSignaturesForAddress':
        return (result as Placed[]).filter(known);
      case 'getSignatureStatuses': {
        const { context, value } = result as Valued<(Status | null)[]>;
        const slot = Math.min(context.slot, newest);
        return { context: { ...context, slot }, value: value.map((one) => (one && known(one) ? one : null)) };
      }
      case 'getBlocks':
        return (result as number[]).filter((slot) => slot <= newest);
      default:
        return result;
    }
  };
}

/** A node on a fork that loses: it does not have half of the transactions until they are final. */
const forking: Rewrite = ({ method, params }, result) => {
  if (result === undefined || result === null) return result;
  const isOnFork = (signature: string): boolean => signature.charCodeAt(5) % 2 === 0;
  const isFinal = (params[1] as { commitment?: string } | undefined)?.commitment === 'finalized';
  switch (method) {
    case 'getSignaturesForAddress':
      return isFinal
        ? result
        : (result as { signature: string }[]).filter(({ signature }) => !isOnFork(signature));
    case 'getTransaction':
      return isFinal || !isOnFork(params[0] as string) ? result : null;
    case 'getSignatureStatuses': {
      const { context, value } = result as Valued<(Status | null)[]>;
      const signatures = params[0] as string[];
      return {
        context,
        value: value.map((one, index) =>
          one && one.confirmationStatus !== 'finalized' && isOnFork(signatures[index]!) ? null : one,
        ),
      };
    }
    default:
      return result;
  }
};

/** A node whose answers are wrong now and then: errors, other types, transactions that it lists and does not have. */
function lying(random: Random): Rewrite {
  return ({ method }, result) => {
    if (random.chance(70)) return result;
    if (method === 'getTransaction' || method === 'getBlock') return null;
    const lies = [
      new RpcFailure(-32_005, 'Node is behind by 4242 slots'),
      new RpcFailure(-32_603, 'Internal error'),
      new HttpFailure(429, 'slow down'),
      new HttpFailure(200, '<html>a gateway</html>'),
      'a text',
      null,
    ];
    return lies[random.below(lies.length)];
  };
}
