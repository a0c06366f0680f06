// What goes wrong around a service while it works and is killed.
import type { Random } from '../../../scripts/random.js';
import { RpcFailure, HttpFailure, type Rewrite } from '../node/rpc-proxy.js';
import { limitFileSize } from '../process/file-size.js';
import { FULL_DISK_BYTES, type StoreKind } from './store.js';
import type { World } from './world.js';

export interface Fault {
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

export const NO_FAULT: Fault = { name: 'none', begin: nothing, end: nothing };

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

export function randomFault({ random, store }: World): Fault {
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
        return {
          context: { ...context, slot },
          value: value.map((one) => (one && known(one) ? one : null)),
        };
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
