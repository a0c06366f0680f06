// A subscription to records from a node whose answers are late, wrong, or errors. threat: newer-version-index
import { Connection, type LogsCallback, type LogsFilter } from '@solana/web3.js';
import { expect } from 'chai';
import {
  CurvekitError,
  subscribeRecords,
  UnreadableTransactionError,
  type SubscriptionOptions,
} from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '../../../tests/support/node/rpc-proxy.js';
import { launch } from '../../../tests/support/program/tokens.js';
import { keysOf } from '../../../tests/support/feed/reader.js';
import { useSubscriptions } from '../../../tests/support/feed/received.js';

const QUICK = { pollIntervalMs: 200 };

/** A connection whose log notifications come from the test. */
class QuietConnection extends Connection {
  readonly #callbacks: LogsCallback[] = [];

  constructor(url: string) {
    super(url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  }

  override onLogs(_filter: LogsFilter, callback: LogsCallback): number {
    return this.#callbacks.push(callback);
  }

  override removeOnLogsListener(): Promise<void> {
    return Promise.resolve();
  }

  tell(signature: string, slot: number): void {
    for (const callback of this.#callbacks) callback({ signature, err: null, logs: [] }, { slot });
  }
}

describe('a subscription to records from a node that', function () {
  // A validator needs half a second for each transaction.
  this.timeout(120_000);

  const cluster = useCluster();
  const collect = useSubscriptions();
  let proxy: RpcProxy;

  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
  });
  afterEach(() => proxy.rewrite(undefined));
  after(() => proxy.stop());

  /** Subscribes without a real websocket. `announce` sends its notifications. */
  async function subscribeQuietly(options: SubscriptionOptions) {
    const quiet = new QuietConnection(proxy.url);
    const received = await collect(quiet, options);
    return { received, announce: ({ signature, slot }: SentTransaction) => quiet.tell(signature, slot) };
  }

  /** Launches three tokens. The node lists the first only after the second has been received. */
  async function listLate(options: SubscriptionOptions, isAnnounced: boolean) {
    const { received, announce } = await subscribeQuietly(options);
    const list = (change: (listed: readonly { signature: string }[]) => unknown) =>
      proxy.rewrite(({ method }, result) =>
        method === 'getSignaturesForAddress' ? change(result as { signature: string }[]) : result,
      );
    list(() => []);
    const { created: late } = await launch(cluster());
    const { created: early } = await launch(cluster());
    list((listed) => listed.filter(({ signature }) => signature !== late.signature));
    announce(early);
    await received.expectKeys(keysOf([early]));
    proxy.rewrite(undefined);
    if (isAnnounced) announce(late);
    await received.expectKeys(keysOf([early, late]));
    const { created: next } = await launch(cluster());
    announce(next);
    await received.expectKeys(keysOf([early, late, next]));
  }

  it('lists a transaction after a later one: its record comes late, and each record comes once', () =>
    listLate({ pollIntervalMs: 200 }, false));

  it('announces a transaction after it listed a later one: its record comes with the announcement', () =>
    listLate({ pollIntervalMs: 3_600_000 }, true));

  it('has transactions of newer versions: each is decoded if possible, otherwise reported and skipped', async () => {
    const errors: unknown[] = [];
    const { received } = await subscribeQuietly({ ...QUICK, onError: (error) => errors.push(error) });
    // Hide both transactions until the test knows both signatures.
    proxy.rewrite(({ method }, result) => (method === 'getTransaction' ? null : result));
    const { created: unreadable } = await launch(cluster());
    const { created: strange } = await launch(cluster());
    proxy.rewrite(({ method, params }, result) => {
      if (method !== 'getTransaction' || result === null) return result;
      const { maxSupportedTransactionVersion: most } = params[1] as Record<string, number>;
      if (params[0] === unreadable.signature || !(most! >= 3))
        return new RpcFailure(-32015, 'Transaction version (4) is not supported by the requesting client');
      if (params[0] === strange.signature)
        return { ...(result as object), version: 3, transaction: { v3: [] } };
      // web3.js itself refuses version 3.
      return { ...(result as object), version: 3 };
    });
    const { created: third } = await launch(cluster());
    await received.expectKeys(keysOf([third]));
    // The order of the errors is not defined, because several transactions are fetched at a time.
    const told = errors.map((error) => {
      expect(error).to.be.instanceOf(UnreadableTransactionError);
      const { signature, version } = error as UnreadableTransactionError;
      return { signature, version };
    });
    expect(told).to.have.deep.members([
      { signature: unreadable.signature, version: 4 },
      { signature: strange.signature, version: 3 },
    ]);
  });

  it('returns another transaction than requested: its records are ignored, and the right ones come later', async () => {
    const { received } = await subscribeQuietly(QUICK);
    const { created: first } = await launch(cluster());
    await received.expectKeys(keysOf([first]));
    let lies = 5;
    proxy.rewrite(({ method, params }, result, { ask }) => {
      if (method !== 'getTransaction' || params[0] === first.signature || lies-- <= 0) return result;
      return ask({ method, params: [first.signature, params[1]] });
    });
    const { created: second } = await launch(cluster());
    await received.expectKeys(keysOf([first, second]));
    expect(lies).to.be.lessThan(1);
  });

  it('no longer knows the last seen transaction (-32020): each record still comes once', async () => {
    const errors: { readonly code?: unknown }[] = [];
    const { received } = await subscribeQuietly({
      ...QUICK,
      onError: (error) => errors.push(error as (typeof errors)[number]),
    });
    const { created: first } = await launch(cluster());
    await received.expectKeys(keysOf([first]));
    proxy.rewrite(({ method, params }, result) => {
      const { until } = (params[1] ?? {}) as { until?: string };
      if (method !== 'getSignaturesForAddress' || until === undefined) return result;
      return new RpcFailure(-32020, `Transaction ${until} not found`);
    });
    const { created: second } = await launch(cluster());
    await received.expectKeys(keysOf([first, second]));
    proxy.rewrite(undefined);
    const { created: third } = await launch(cluster());
    await received.expectKeys(keysOf([first, second, third]));
    expect(new Set(errors.map(({ code }) => code))).to.deep.equal(new Set([-32020]));
  });

  it('has a long history: it is listed in pages, and each record comes once, in order', async () => {
    const sent: SentTransaction[] = [];
    for (let index = 0; index < 4; index++) sent.push((await launch(cluster())).created);
    // Failed transactions are not fetched. The readable ones are the first, two around the end of a part, and the last.
    const readable = new Map([23_999, 10_000, 9_999, 0].map((at, index) => [at, sent[index]!.signature]));
    const listed = Array.from({ length: 24_000 }, (_, at) => ({
      signature: readable.get(at) ?? `failed ${at}`,
      slot: 24_000 - at,
      err: readable.has(at) ? null : 'AccountInUse',
      memo: null,
      blockTime: null,
    }));
    let pages = 0;
    proxy.rewrite(({ method, params }, result) => {
      if (method !== 'getSignaturesForAddress') return result;
      pages += 1;
      const { before, until, limit } = params[1] as { before?: string; until?: string; limit: number };
      const indexOf = (signature?: string) => listed.findIndex((one) => one.signature === signature);
      const end = until === undefined ? listed.length : indexOf(until);
      return listed.slice(indexOf(before) + 1, end).slice(0, limit);
    });
    const { received } = await subscribeQuietly({ ...QUICK, from: 'genesis' });
    await received.expectKeys(keysOf(sent));
    // 24 pages to list everything once, then 20 more for the two parts of ten thousand that were not kept.
    expect(pages).to.be.within(24 + 20, 24 + 20 + 8);
  });

  for (const [method, code, problem] of [
    ['getTransaction', -32011, 'history'],
    ['getSignaturesForAddress', -32602, 'parameters'],
  ] as const) {
    it(`always refuses ${method} (${code}): the iteration ends with the error`, async () => {
      const subscription = subscribeRecords(new QuietConnection(proxy.url), QUICK);
      await subscription.ready;
      await launch(cluster());
      proxy.rewrite((call, result) => (call.method === method ? new RpcFailure(code, 'Refused') : result));
      const first = subscription[Symbol.asyncIterator]().next();
      const error = await rejection(first, CurvekitError);
      expect(error.message).to.include(problem).and.to.include('Refused');
    });
  }
});
