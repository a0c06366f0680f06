// Every map, set and list that a class or a module keeps has a bound: it is a `BoundedMap` or a `Cache`, as usual, or its bound is named
// below. threat: cache-filling
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { BoundedMap } from '#app/base/bounded-map.js';

const SOURCES = new URL('../../app/src/', import.meta.url);
/** A field of a class or a variable of a module. Names in capitals are constants. A weak collection ends with its objects. */
const KEPT =
  /^(?: {2}(?:readonly )?(#\w+)|(?:export )?(?:const|let) ([a-z]\w*))[^=\n]* = (?:new (?!Weak)(\w*(?:Map|Set|Cache))\b|(\[\];))/gm;

/** Classes that have a maximum number of entries. */
const BOUNDED = ['BoundedMap', 'Cache'];

const BOUNDS: Readonly<Record<string, string>> = {
  'base/peers.ts #failing': 'PEERS',
  'claims/reconciler.ts #waits': 'claims in progress',
  'claims/reconciler.ts #round': 'claims in progress',
  'db/batch-loader.ts #running': 'MOST_READS',
  'db/embedded.ts #held': 'leases by their names in the code',
  'db/leadership.ts #waiting': 'jobs of the service',
  'db/statements.ts names': 'MOST_NAMES',
  'db/replicas.ts #positions': 'KEPT_POSITIONS',
  'graduation/settlement/advance.ts #lastSample': 'settlements of a command',
  'graduation/settlement/advance.ts #reported': 'settlements of a command',
  'graduation/settlement/advance.ts #running': 'open settlements',
  'http/answer-cache.ts #kept': 'MOST_ANSWERS, MOST_BYTES, LONGEST_MS',
  'http/answer-cache.ts #making': 'open requests',
  'http/shares.ts #byClient': 'open requests',
  'http/window-counters.ts #counts': 'MOST_COUNTERS',
  'index/engine.ts #refused': 'anchors that the node does not know',
  'index/feed/buffer.ts #arrivals': 'most',
  'index/feed/buffer.ts #seen': 'MOST_SEEN',
  'index/feed/buffer.ts #seenBefore': 'MOST_SEEN',
  'index/feed/buffer.ts #slots': 'most',
  'index/feed/buffer.ts #taken': 'most',
  'index/feed/buffer.ts #stretches': 'MOST_STRETCHES',
  'index/feed/newest-prices.ts #fresh': 'MOST_TOKENS',
  'index/feed/newest-prices.ts #waiting': 'MOST_TOKENS',
  'index/feed/reader.ts #signatures': 'MOST_TOLD',
  'index/feed/reader.ts #places': 'MOST_TOLD',
  'index/feed/reader.ts #positions': 'records of MOST_TOLD transactions',
  'index/feed/reader.ts #parts': 'records of MOST_TOLD transactions',
  'market/pools/pools-job.ts #followed': "pools of the launchpad's tokens",
  'market/pools/read-pool.ts #kept': 'MOST_KEPT',
  'market/stream/hub.ts #byTopic': 'MOST_TOPICS for each open stream',
  'market/stream/hub.ts #groups': 'open streams',
  'market/stream/hub.ts #held': 'events of BOARD_MS',
  'market/stream/reader.ts #waiting': 'MOST_UNREAD_BYTES',
  'partners/key-limits.ts #keys': 'keys with a limit, which operators issue',
  'reconciliation/reader.ts #otherTransactions': 'MOST_OTHERS, and the places of a step',
  'reconciliation/unknown-transactions.ts #derived': "the launchpad's tokens, whose creators pay rent",
  'reconciliation/unknown-transactions.ts #wsolStorages': "the launchpad's tokens, whose creators pay rent",
  'signer/expired-claims.ts #open': 'claims of a day',
  'signer/spending-limit.ts #signed': 'the minutes of a day',
  'webhooks/webhook-job.ts #outcomes': 'endpoints',
};

describe('collections that the service keeps', () => {
  it('are bounded by their class, or have a bound that is named here', () => {
    const kept = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(new URL(file, SOURCES), 'utf8').matchAll(KEPT)].map(
          ([, field, variable, kind = '[]']) => ({ id: `${file} ${field ?? variable}`, kind }),
        ),
      );
    const others = kept.filter(({ kind }) => !BOUNDED.includes(kind)).map(({ id }) => id);
    expect(others).to.have.members(Object.keys(BOUNDS));
    expect(kept.length - others.length).to.be.at.least(8);
  });

  it('drop the oldest entry beyond the bound, among others that are deleted, set again or cleared', () => {
    const step = fc.tuple(fc.constantFrom('set', 'set', 'set', 'delete', 'clear'), fc.nat(9));
    const run = (steps: readonly (readonly [string, number])[]) => {
      const map = new BoundedMap<number, number>(4);
      let expected: [number, number][] = [];
      for (const [index, [action, key]] of steps.entries()) {
        if (action === 'clear' && key === 0) [expected] = [[], map.clear()];
        if (action === 'clear') continue;
        expected = expected.filter(([other]) => other !== key);
        if (action === 'set') expected = [...expected, [key, index] as [number, number]].slice(-4);
        if (action === 'set') map.set(key, index);
        else map.delete(key);
        expect([...map]).to.deep.equal(expected);
      }
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 200 }), run));
  });

  it('drop it as fast from a large map', () => {
    const time = (most: number): number => {
      const map = new BoundedMap<number, number>(most);
      for (let key = 0; key < most; key += 1) map.set(key, key);
      const since = performance.now();
      for (let key = 0; key < 50_000; key += 1) map.set(most + key, key);
      return performance.now() - since;
    };
    time(1_000);
    // Once it took 300 times as long.
    expect(time(100_000)).to.be.below(30 * time(1_000) + 20);
  });
});
