import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, type LogsCallback, type LogsFilter } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  buy,
  createToken,
  CurvekitError,
  decodeRecords,
  expectedAccount,
  fetchTokenOwnerData,
  InvalidArgumentError,
  migrate,
  ProgramError,
  rebuildHistories,
  recordKey,
  sell,
  subscribeRecords,
  UnreadableTransactionError,
  type CurveRecord,
  type RecordSubscription,
  type SubscriptionOptions,
} from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import { useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { Proxy } from '#tests/network/proxy.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, launch, TERMS, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const QUICK = { pollIntervalMs: 200 };

/** What a subscription has delivered so far. */
class Received {
  readonly records: CurveRecord[] = [];
  /** Ends with the iteration. */
  readonly done: Promise<void>;

  constructor(readonly subscription: RecordSubscription) {
    this.done = this.#collect();
  }

  async #collect(): Promise<void> {
    for await (const record of this.subscription) this.records.push(record);
  }

  get keys(): string[] {
    return this.records.map(recordKey);
  }

  /** Waits until that many have come, and then a little for one too many. */
  async expectKeys(expected: readonly string[]): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (this.records.length < expected.length && Date.now() < deadline) await sleep(10);
    await sleep(100);
    expect(this.keys).to.deep.equal(expected);
  }
}

/** A connection whose websocket tells what a test says, when it says it. */
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

const keysOf = (sent: readonly SentTransaction[]): string[] =>
  sent.flatMap(({ transaction }) => decodeRecords(transaction)).map(recordKey);

describe('a subscription to records', function () {
  // A validator takes half a second for each transaction.
  this.timeout(120_000);

  const cluster = useCluster();
  let wallets: Keypair[];
  let rpc: Proxy;
  let websocket: Proxy;
  let connection: Connection;
  const open: Received[] = [];

  before(async () => {
    wallets = await cluster().fundedWallets(4, 1_000n * SOL);
    rpc = await Proxy.to(cluster().rpcUrl);
    websocket = await Proxy.to(cluster().wsUrl);
    connection = new Connection(rpc.url, {
      commitment: 'confirmed',
      wsEndpoint: websocket.url,
      disableRetryOnRateLimit: true,
    });
  });

  afterEach(async () => {
    for (const { subscription, done } of open.splice(0)) {
      await subscription.close();
      await done;
    }
  });

  after(async () => {
    // web3.js closes an idle websocket after half a second, and would reconnect for ever to one that is gone.
    await sleep(1_000);
    await rpc.cut();
    await websocket.cut();
  });

  /** Subscribes through the proxies and collects. */
  async function subscribe(options: SubscriptionOptions = {}): Promise<Received> {
    const received = new Received(subscribeRecords(connection, options));
    open.push(received);
    await received.subscription.ready;
    return received;
  }

  /** Ten trades of one token, one after the other. */
  async function tradeTenTimes(token: Token): Promise<SentTransaction[]> {
    const sent: SentTransaction[] = [];
    for (let index = 0; index < 5; index++) {
      const wallet = wallets[index % wallets.length]!;
      sent.push(await buyTokens(cluster(), token, wallet, SOL));
      const payer = wallet.publicKey;
      const params = { mint: token.mint, payer, tokenToSpend: 10n ** 12n, minSolToReceive: 0n };
      sent.push(await cluster().send(sell(params), [wallet]));
    }
    return sent;
  }

  it('given a token’s whole life, when it is lived, then every record comes live, once and in order', async () => {
    const received = await subscribe();
    const token = await launch(cluster());
    const sent = [token.created, ...(await tradeTenTimes(token))];
    sent.push(await buyTokens(cluster(), token, wallets[0]!, WHOLE_CURVE_LAMPORTS));
    sent.push(await cluster().send(migrate({ mint: token.mint }), [cluster().feeReceiver]));
    await received.expectKeys(keysOf(sent));
    expect(received.records.map(({ kind }) => kind)).to.deep.equal([
      'create',
      ...Array.from({ length: 11 }, () => 'trade'),
      'migrate',
    ]);
    const history = rebuildHistories(received.records).get(token.mint.toBase58())!;
    expect(expectedAccount(history)).to.deep.equal(
      await fetchTokenOwnerData(cluster().connection, token.mint),
    );
  });

  it('given many wallets trading at once, then their records come once, in an order that adds up', async () => {
    const received = await subscribe();
    const tokens = await Promise.all(Array.from({ length: 3 }, () => launch(cluster())));
    const trades = await Promise.all(
      wallets.flatMap((wallet) =>
        tokens.flatMap((token) =>
          Array.from({ length: 5 }, () => buyTokens(cluster(), token, wallet, SOL / 10n)),
        ),
      ),
    );
    const expected = keysOf([...tokens.map(({ created }) => created), ...trades]);
    const deadline = Date.now() + 20_000;
    while (received.records.length < expected.length && Date.now() < deadline) await sleep(10);
    expect(received.keys).to.have.members(expected);
    const slots = received.records.map(({ slot }) => slot);
    expect(slots).to.deep.equal(slots.toSorted((a, b) => a - b));
    const histories = rebuildHistories(received.records);
    for (const { mint } of tokens) {
      const account = await fetchTokenOwnerData(cluster().connection, mint);
      expect(expectedAccount(histories.get(mint.toBase58())!)).to.deep.equal(account);
    }
  });

  it('given failed transactions, then they leave no record', async () => {
    const received = await subscribe(QUICK);
    const token = await launch(cluster());
    const [payer] = wallets;
    const impossible = buy({
      mint: token.mint,
      payer: payer!.publicKey,
      solToSpend: SOL,
      minTokenToReceive: 10n ** 18n,
    });
    await rejection(cluster().send(impossible, [payer!]), ProgramError);
    const trade = await buyTokens(cluster(), token, payer!, SOL);
    await received.expectKeys(keysOf([token.created, trade]));
  });

  it('given the websocket cut, then polling fills the gap, and after its return records come live again', async () => {
    const received = await subscribe(QUICK);
    const token = await launch(cluster());
    const before = await tradeTenTimes(token);
    await websocket.cut();
    const during = await tradeTenTimes(token);
    await received.expectKeys(keysOf([token.created, ...before, ...during]));
    await websocket.restore();
    const after = await tradeTenTimes(token);
    await received.expectKeys(keysOf([token.created, ...before, ...during, ...after]));
  });

  it('given a reconnected websocket, then it is the websocket that wakes it', async () => {
    const received = await subscribe({ pollIntervalMs: 3_600_000 });
    await websocket.cut();
    await websocket.restore();
    // web3.js reconnects within a second or two; a poll would take an hour.
    await sleep(3_000);
    const token = await launch(cluster());
    await received.expectKeys(keysOf([token.created]));
  });

  it('given the node gone, then the errors are reported, and nothing is lost when it is back', async () => {
    const errors: unknown[] = [];
    const received = await subscribe({ ...QUICK, onError: (error) => errors.push(error) });
    const token = await launch(cluster());
    await received.expectKeys(keysOf([token.created]));
    await Promise.all([rpc.cut(), websocket.cut()]);
    const during = await tradeTenTimes(token);
    await sleep(500);
    expect(received.records).to.have.lengthOf(1);
    expect(errors).not.to.deep.equal([]);
    await Promise.all([rpc.restore(), websocket.restore()]);
    await received.expectKeys(keysOf([token.created, ...during]));
  });

  it('given a record processed before, when subscribed from it, then the ones after it come, in its transaction too', async () => {
    const first = await subscribe();
    const [creator, mint] = [wallets[0]!, Keypair.generate()];
    const firstBuy = { solToSpend: SOL, minTokenToReceive: 0n };
    const instructions = createToken({ ...TERMS, mint: mint.publicKey, payer: creator.publicKey, firstBuy });
    const created = await cluster().send(instructions, [creator, mint]);
    const later = await launch(cluster());
    const keys = keysOf([created, later.created]);
    expect(keys).to.have.lengthOf(3);
    await first.expectKeys(keys);
    for (const [index, from] of first.records.entries()) {
      const rest = await subscribe({ from });
      await rest.expectKeys(keys.slice(index + 1));
    }
  });

  it('given a history, when subscribed from genesis, then all of it comes before what happens next', async () => {
    const all = await subscribe({ from: 'genesis', concurrency: 3 });
    const token = await launch(cluster());
    const last = keysOf([token.created])[0]!;
    const deadline = Date.now() + 20_000;
    while (all.keys.at(-1) !== last && Date.now() < deadline) await sleep(10);
    expect(all.keys.at(-1)).to.equal(last);
    expect(new Set(all.keys).size).to.equal(all.records.length);
    for (const [mint, history] of rebuildHistories(all.records)) {
      const account = await fetchTokenOwnerData(cluster().connection, history.created.mint);
      expect(expectedAccount(history), mint).to.deep.equal(account);
    }
  });

  describe('from a node that', () => {
    let proxy: RpcProxy;

    before(async () => {
      proxy = await startRpcProxy(cluster().rpcUrl);
    });
    afterEach(() => proxy.rewrite(undefined));
    after(() => proxy.stop());

    /** Without a websocket of its own: `announce` says what it would. */
    async function subscribeQuietly(options: SubscriptionOptions) {
      const quiet = new QuietConnection(proxy.url);
      const received = new Received(subscribeRecords(quiet, options));
      open.push(received);
      await received.subscription.ready;
      return { received, announce: ({ signature, slot }: SentTransaction) => quiet.tell(signature, slot) };
    }

    /** Three tokens, of which the first is listed after the second has come. */
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

    it('lists a transaction after a later one: it comes late, and each comes once', () =>
      listLate({ pollIntervalMs: 200 }, false));

    it('announces a transaction after a later one was listed: that is when it comes', () =>
      listLate({ pollIntervalMs: 3_600_000 }, true));

    it('has transactions of newer versions: each is read by structure, and one that cannot be is told and passed over', async () => {
      const errors: unknown[] = [];
      const { received } = await subscribeQuietly({ ...QUICK, onError: (error) => errors.push(error) });
      // The node has neither yet: both signatures are to be known before it answers.
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
        // web3.js refuses version 3, and version 1 without its configuration.
        return { ...(result as object), version: 3 };
      });
      const { created: third } = await launch(cluster());
      await received.expectKeys(keysOf([third]));
      // In which order they are told is left open: several are fetched at a time.
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

    it('returns another transaction than it was asked for: none of its records come, and the right ones do later', async () => {
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

    it('does not know any more what was seen last (-32020): each record comes all the same, once', async () => {
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

    it('has a long history: its transactions are listed in parts, and each record comes once, in order', async () => {
      const sent: SentTransaction[] = [];
      for (let index = 0; index < 4; index++) sent.push((await launch(cluster())).created);
      // Failed ones need no reading. Among them lie the others: the first, two about a part's end, the last.
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
      // All of it once, and then what was not held: two parts of ten thousand.
      expect(pages).to.be.within(24 + 20, 24 + 20 + 8);
    });

    for (const [method, code, problem] of [
      ['getTransaction', -32011, 'history'],
      ['getSignaturesForAddress', -32602, 'parameters'],
    ] as const) {
      it(`refuses ${method} for good (${code}): the iteration ends with the error`, async () => {
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

  const source = { signature: bs58.encode(new Uint8Array(64)), slot: 1, position: { outer: 0, inner: -1 } };
  const nonsense: [string, unknown][] = [
    ['from.signature', { ...source, signature: bs58.encode(new Uint8Array(63)) }],
    ['from.signature', { ...source, signature: 'not base58: 0OIl' }],
    ['from.signature', 'genesis '],
    ['from.signature', null],
    ['from.slot', { ...source, slot: '1' }],
    ['from.position.outer', { ...source, position: undefined }],
    ['from.position.inner', { ...source, position: { outer: 0, inner: -2 } }],
  ];
  for (const [argument, from] of nonsense) {
    it(`refuses from = ${JSON.stringify(from)}`, () => {
      expect(() => subscribeRecords(connection, { from: from as CurveRecord }))
        .to.throw(InvalidArgumentError)
        .with.property('argument', argument);
    });
  }

  it('when closed, then the iteration ends; when iterated twice, then the second is refused', async () => {
    const received = await subscribe({ pollIntervalMs: 3_600_000 });
    await received.subscription.close();
    await received.done;
    const again = received.subscription[Symbol.asyncIterator]();
    const error = await rejection(again.next(), CurvekitError);
    expect(error.message).to.include('iterated once');
  });

  it('when the loop is left, then the subscription is closed', async () => {
    const subscription = subscribeRecords(connection);
    await subscription.ready;
    const token = await launch(cluster());
    for await (const record of subscription) {
      expect(recordKey(record)).to.equal(keysOf([token.created])[0]);
      break;
    }
    await subscription.close();
  });
});
