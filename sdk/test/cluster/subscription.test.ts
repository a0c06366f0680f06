import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  buy,
  createToken,
  CurvekitError,
  expectedAccount,
  fetchTokenOwnerData,
  InvalidArgumentError,
  migrate,
  ProgramError,
  rebuildHistories,
  recordKey,
  sell,
  subscribeRecords,
  type CurveRecord,
  type SubscriptionOptions,
} from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import { useKeyHeldCluster } from '../../../tests/support/cluster/cluster.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { Proxy } from '../../../tests/support/network/proxy.js';
import {
  buyTokens,
  launch,
  TERMS,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '../../../tests/support/program/tokens.js';
import { MINT_RENT, SOL } from '../../../tests/support/constants.js';
import { keysOf } from '../../../tests/support/feed/reader.js';
import { useSubscriptions } from '../../../tests/support/feed/received.js';

const QUICK = { pollIntervalMs: 200 };

describe('a subscription to records', function () {
  // A validator needs half a second for each transaction.
  this.timeout(120_000);

  const cluster = useKeyHeldCluster();
  let wallets: Keypair[];
  let rpc: Proxy;
  let websocket: Proxy;
  let connection: Connection;
  const collect = useSubscriptions();

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

  after(async () => {
    // web3.js closes an idle websocket after half a second. Without this pause it would try to reconnect forever.
    await sleep(1_000);
    await rpc.cut();
    await websocket.cut();
  });

  /** Subscribes through the proxies and collects the records. */
  const subscribe = (options?: SubscriptionOptions) => collect(connection, options);

  /** Ten trades of one token, one after the other. */
  async function tradeTenTimes(token: Token): Promise<SentTransaction[]> {
    const sent: SentTransaction[] = [];
    for (let index = 0; index < 5; index++) {
      const wallet = wallets[index % wallets.length]!;
      sent.push(await buyTokens(cluster(), token, wallet, SOL));
      const payer = wallet.publicKey;
      const params = { mint: token.mint, payer, tokenToSpend: 10n ** 12n, minSolToReceive: 0n };
      sent.push(await cluster().send(sell({ ...params, deployment: cluster().deployment }), [wallet]));
    }
    return sent;
  }

  it('given a token from launch to migration, then every record comes live, once and in order', async () => {
    const received = await subscribe();
    const token = await launch(cluster());
    const sent = [token.created, ...(await tradeTenTimes(token))];
    sent.push(await buyTokens(cluster(), token, wallets[0]!, WHOLE_CURVE_LAMPORTS));
    sent.push(
      await cluster().send(migrate({ mint: token.mint, deployment: cluster().deployment }), [
        cluster().feeReceiver,
      ]),
    );
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

  it('given many wallets trading at once, then their records come once, in a consistent order', async () => {
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

  it('given an interrupted websocket, then polling fills the gap, and records come live again after it returns', async () => {
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

  it('given a reconnected websocket, then records come from its notifications', async () => {
    const received = await subscribe({ pollIntervalMs: 3_600_000 });
    await websocket.cut();
    await websocket.restore();
    // web3.js reconnects within a second or two; a poll would take an hour.
    await sleep(3_000);
    const token = await launch(cluster());
    await received.expectKeys(keysOf([token.created]));
  });

  it('given a node that is down, then the errors are reported, and no record is lost when it is back', async () => {
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

  it('given an earlier record, when subscribed from it, then the later records come, also those of its transaction', async () => {
    const first = await subscribe();
    const [creator, mint] = [wallets[0]!, Keypair.generate()];
    const firstBuy = { solToSpend: SOL, minTokenToReceive: 0n };
    const instructions = createToken({
      ...TERMS,
      mintRentLamports: MINT_RENT,
      mint: mint.publicKey,
      payer: creator.publicKey,
      firstBuy,
      deployment: cluster().deployment,
    });
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

  it('given a history, when subscribed from genesis, then all of it comes before new records', async () => {
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

  it('when closed, then the iteration ends; when iterated twice, then the second iteration is refused', async () => {
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
