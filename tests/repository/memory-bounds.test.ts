// Every map, set and list of the service that outlives a request has a bound. A new one fails here until it is a
// `BoundedMap`, which is the usual way, or its bound is named below. threat: cache-filling
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { BoundedMap } from '#app/base/bounded-map.js';
import ts from 'typescript';

// Finds the maps, sets and lists of the service that outlive a call: those of modules, of classes, and of functions whose
// results go on using them.

interface KeptCollection {
  /** File in the folder, and name: `http/json.ts quotedNames`. */
  readonly id: string;
  /** `Map`, `Set`, the name of another class, or `[]`. */
  readonly kind: string;
}

/** A weak collection has no more entries than there are objects. */
const COLLECTION = /^(?!Weak)\w*(?:Map|Set|Cache|LRU)$/;
const AT_ONCE = new Set(
  'every filter find findIndex flatMap forEach from map reduce some sort toSorted transaction'.split(' '),
);
/** Values that a module never changes. */
const CONSTANT = /^[A-Z0-9_]+$/;

/** Every collection that is kept, in the order of the files. */
function keptCollections(folder: string): KeptCollection[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => keptIn(file, readFileSync(join(folder, file), 'utf8')));
}

/** The kept collections of one file. */
function keptIn(file: string, text: string): KeptCollection[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: KeptCollection[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamed(node) && node.initializer !== undefined) {
      const kind = kindOf(node.initializer);
      const name = node.name.getText(source);
      if (kind !== undefined && isKept(node, name) && !CONSTANT.test(name))
        found.push({ id: `${file} ${name}`, kind });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Named = ts.VariableDeclaration | ts.PropertyDeclaration | ts.PropertyAssignment;

function isNamed(node: ts.Node): node is Named {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) return true;
  // The fields of an object that a function returns.
  return ts.isPropertyAssignment(node) && ts.isReturnStatement(node.parent.parent);
}

function kindOf(made: ts.Expression): string | undefined {
  if (ts.isArrayLiteralExpression(made) && made.elements.length === 0) return '[]';
  if (!ts.isNewExpression(made)) return undefined;
  const name = made.expression.getText();
  return COLLECTION.test(name) ? name : undefined;
}

function isKept(node: Named, name: string): boolean {
  // An empty list in a result is a value.
  if (ts.isPropertyAssignment(node)) return ts.isNewExpression(node.initializer);
  if (ts.isPropertyDeclaration(node)) return true;
  const owner = functionAround(node);
  return owner === undefined || isUsedLater(owner, name);
}

/** Whether the function is the argument of a method that calls it before it returns. */
function isRunAtOnce({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent)) return false;
  const { expression } = parent;
  return ts.isPropertyAccessExpression(expression) && AT_ONCE.has(expression.name.text);
}

function functionAround(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

/** Whether a function inside uses the name and may run after its owner, as listeners and timers do. */
function isUsedLater(owner: ts.Node, name: string): boolean {
  let isUsed = false;
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (isInside && ts.isIdentifier(node) && node.text === name) isUsed = true;
    const isLasting = ts.isFunctionLike(node) && node !== owner && !isRunAtOnce(node);
    ts.forEachChild(node, (child) => visit(child, isInside || isLasting));
  };
  visit(owner, false);
  return isUsed;
}

const SOURCES = fileURLToPath(new URL('../../app/src', import.meta.url));

interface Bound {
  readonly bound: string;
  /** Code of the file that enforces it. */
  readonly by: string;
}

/** Has an entry for each open request, whose number is limited, and drops it when the request ends. */
const ofRequests = (by: string): Bound => ({ bound: 'one for each open request', by });
/** A call's own collection, which only its own callbacks use. */
const ofCall = (what: string, by: string): Bound => ({ bound: `one call: ${what}`, by });

const BOUNDS: Readonly<Record<string, Bound>> = {
  'claims/reconciler.ts #round': { bound: 'claims in progress', by: 'this.#round = new Set()' },
  'db/batch-loader.ts #running': { bound: 'MOST_READS', by: 'this.#running.size >= MOST_READS' },
  'db/embedded.ts #held': { bound: 'leases by their names in the code', by: 'this.#held.delete(name)' },
  'db/leadership.ts #waiting': { bound: 'jobs of the service', by: '#waiting.delete(' },
  'db/postgres.ts clients': { bound: 'the connections of a pool', by: 'clients.delete(client)' },
  'db/prepared.ts names': { bound: 'MOST_NAMES', by: 'names.size >= MOST_NAMES' },
  'db/replicas.ts #positions': { bound: 'KEPT_POSITIONS', by: 'this.#positions.length > KEPT_POSITIONS' },
  'http/rate-limit.ts policies': { bound: 'numbers that operators choose', by: 'policyOf(own.requests)' },
  'http/request-metrics.ts known': {
    bound: 'methods × routes × statuses',
    by: "KNOWN_METHODS.has(request.method) ? request.method : 'other'",
  },
  'http/security-headers.ts headers': ofCall('the headers of helmet', 'return [...headers]'),
  'http/request-end.ts open': ofRequests('this.all.pop()'),
  'http/answer-cache.ts #kept': {
    bound: 'MOST_ANSWERS, MOST_BYTES, LONGEST_MS',
    by: 'this.#kept.size <= MOST_ANSWERS',
  },
  'http/answer-cache.ts #making': ofRequests('this.#making.delete(key)'),
  'http/route.ts cache': { bound: 'as http/answer-cache.ts says', by: 'new AnswerCache()' },
  'http/shares.ts #byClient': ofRequests('else this.#byClient.delete(client)'),
  'http/window-counters.ts #counts': { bound: 'MOST_COUNTERS', by: 'this.#counts.size < this.most' },
  'index/backlog-reader.ts ahead': { bound: 'PARTS_AHEAD', by: 'ahead.length < most' },
  'index/batch.ts fetched': ofCall('transactions of a batch', 'fetched.get('),
  'index/feed/buffer.ts #arrivals': { bound: 'most', by: 'this.#size >= this.most' },
  'index/feed/buffer.ts #slots': { bound: 'KEPT_SLOTS', by: 'this.#slots.delete(old)' },
  'index/feed/connection.ts sockets': { bound: 'open connections', by: 'sockets.delete(socket)' },
  'index/node-history.ts open': ofCall('transactions of a batch', 'open.push(index)'),
  'index/engine.ts #refused': { bound: 'anchors that the node does not know', by: 'this.#refused.clear()' },
  'base/logging/log-repeats.ts causes': {
    bound: 'MOST_CAUSES, then the texts of the code',
    by: 'causes.size < MOST_CAUSES',
  },
  'market/stream/hub.ts readers': { bound: 'open streams', by: 'group.readers.delete(reader)' },
  'market/stream/hub.ts #held': {
    bound: 'events of BOARD_MS',
    by: 'setTimeout(() => this.flush(), BOARD_MS)',
  },
  'market/stream/hub.ts #groups': { bound: 'open streams', by: 'this.#groups.delete(' },
  'market/stream/hub.ts #byTopic': {
    bound: 'MOST_TOPICS for each open stream',
    by: 'this.#byTopic.delete(topic)',
  },
  'market/stream/reader.ts #waiting': {
    bound: 'MOST_UNREAD_BYTES',
    by: 'this.#waitingLength > MOST_UNREAD_BYTES',
  },
  'page/preloads.ts files': ofCall('the files of a page', 'return [...files]'),
  'page/routes.ts files': ofCall('the files of a page', 'new Map([...page.files, [path, named]])'),
  'partners/key-limits.ts #keys': { bound: 'keys with a limit, which operators issue', by: 'keysWithLimit(' },
  'reconciliation/split-brain/payer.ts opening': ofCall('the treasuries', 'opening.push('),
  'base/peers.ts #failing': { bound: 'PEERS', by: 'failed(peer: Peer)' },
  'market/pools/pools-job.ts #followed': {
    bound: "pools of the launchpad's tokens",
    by: 'this.#followed.delete(',
  },
  'market/pools/read-pool.ts #kept': { bound: 'MOST_KEPT', by: 'all.slice(-MOST_KEPT)' },
  'reconciliation/settlement-payment.ts wsolSources': ofCall('a transaction', 'wsolSources'),
  'reconciliation/settlement-payment.ts tokenSources': ofCall('a transaction', 'tokenSources'),
  'reconciliation/settlement-payment.ts solTransfers': ofCall('a transaction', 'solTransfers'),
  'reconciliation/settlement-payment.ts tokenTransfers': ofCall('a transaction', 'tokenTransfers'),
  'reconciliation/unknown-transactions.ts #wsolStorages': {
    bound: "the launchpad's tokens, whose creators pay rent for them",
    by: 'from tokens where mint >',
  },
  'reconciliation/unknown-transactions.ts #derived': {
    bound: "the launchpad's tokens, whose creators pay rent for them",
    by: 'from tokens where mint >',
  },
  'reconciliation/reader.ts #otherTransactions': {
    bound: 'MOST_OTHERS, and the places of a step',
    by: 'this.#otherTransactions.size > MOST_OTHERS',
  },
  'reconciliation/reader.ts unknown': ofCall('transactions of a step', 'unknown.has(place)'),
  'reconciliation/sift.ts dense': ofCall('blocks of a step', 'new Map(all.filter(isDense))'),
  'chain/node-ledger.ts starts': ofCall('calls for a range of slots', 'starts.push(start)'),
  'chain/retry-schedule.ts #waits': {
    bound: 'claims in progress',
    by: 'if (!keys.has(key)) this.#waits.delete(key)',
  },
  'graduation/settlement/advance.ts #running': { bound: 'open settlements', by: 'this.#running.delete(' },
  'graduation/settlement/advance.ts #lastSample': {
    bound: 'settlements of a command',
    by: 'if (options.idleMs === undefined) this.#lastSample',
  },
  'graduation/settlement/advance.ts #reported': {
    bound: 'settlements of a command',
    by: 'if (options.idleMs === undefined) this.#reported',
  },
  'graduation/settlement/payment/plan.ts waiting': ofCall('recipients of a settlement', 'waiting.add('),
  'signer/expired-claims.ts #open': {
    bound: 'claims of a day',
    by: 'if (open.until <= now()) this.#open.delete(',
  },
  'signer/spending-limit.ts #signed': {
    bound: 'the minutes of a day',
    by: 'now < newest.began + MINUTE_MS',
  },
};

describe('collections of the service that outlive a request', () => {
  const kept = keptCollections(SOURCES);

  it('are BoundedMaps, or have a bound that is named here and enforced there', () => {
    const others = kept.filter(({ kind }) => kind !== 'BoundedMap').map(({ id }) => id);
    expect([...new Set(others)]).to.have.members(Object.keys(BOUNDS));
    for (const [id, { by }] of Object.entries(BOUNDS))
      expect(readFileSync(join(SOURCES, id.split(' ')[0]!), 'utf8'), id).to.include(by);
    expect(kept.length - others.length).to.be.at.least(8);
  });

  it('are found in modules, classes, returned objects, and closures', () => {
    const text = `
      const kept = new Map();
      const FIXED = new Set(['a']);
      class A { readonly #list: string[] = []; readonly weak = new WeakMap(); }
      function cached() { const inner = new LRUCache(); return () => inner.get('a'); }
      function named() { const other: X[] = []; function add() { other.push(1); } return add; }
      function made() { return { memory: new Map() }; }
      function local(all) { const own = new Map(); all.forEach((each) => own.set(each, 1)); return own.size; }`;
    expect(keptIn('a.ts', text)).to.deep.equal(
      ['kept Map', '#list []', 'inner LRUCache', 'other []', 'memory Map'].map((found) => {
        const [name, kind] = found.split(' ');
        return { id: `a.ts ${name}`, kind };
      }),
    );
  });

  it('drop their oldest entry beyond the bound', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).to.deep.equal([
      ['a', 3],
      ['c', 4],
    ]);
  });

  it('drop it as fast from a large map', () => {
    const time = (most: number): number => {
      const map = new BoundedMap<number, number>(most);
      for (let key = 0; key < most; key += 1) map.set(key, key);
      const since = performance.now();
      for (let key = 0; key < 50_000; key += 1) map.set(most + key, key);
      expect([map.size, map.keys().next().value]).to.deep.equal([most, 50_000]);
      return performance.now() - since;
    };
    time(1_000);
    // Once it took 300 times as long.
    expect(time(100_000)).to.be.below(30 * time(1_000) + 20);
  });

  it('drop the oldest entry among others that are deleted, set again or cleared', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('set', 'set', 'set', 'delete', 'clear'), fc.nat(9)), {
          maxLength: 200,
        }),
        (steps) => {
          const map = new BoundedMap<number, number>(4);
          let expected: [number, number][] = [];
          for (const [index, [step, key]] of steps.entries()) {
            if (step === 'clear' && key === 0) [expected] = [[], map.clear()];
            if (step === 'clear') continue;
            expected = expected.filter(([other]) => other !== key);
            if (step === 'set') expected = [...expected, [key, index] as [number, number]].slice(-4);
            if (step === 'set') map.set(key, index);
            else map.delete(key);
            expect([...map]).to.deep.equal(expected);
          }
        },
      ),
    );
  });
});
