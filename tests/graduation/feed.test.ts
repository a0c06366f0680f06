// Feeds and histories that go on after graduation, and the history of a wallet.
import { createSolanaRpc, type Address } from '@solana/kit';
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { InvalidArgumentError } from '@curvekit/sdk';
import { fetchHistory, openFeed, type LaunchpadRecord } from '@curvekit/sdk/feed';
import type { Deployment } from '@curvekit/sdk/kit';
import { trade, type TradeResult } from '@curvekit/sdk/trade';
import { SOL } from '#tests/constants.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import { launchTrading, openPool, untilOpen, type GraduatingToken } from '#tests/graduation/graduating.js';
import { KIT_MAJORS, kitFeed } from '#tests/kit/kit-entry.js';

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const record of records) read.push(record);
  return read;
}

describeOnAmms('the feed of a token that graduates', function (cluster) {
  let token: GraduatingToken;
  let wallet: Keypair;
  /** On the curve, then two in the pool. */
  let trades: TradeResult[];

  const buyOrSell = (terms: { solToSpend: bigint } | { tokenToSpend: 'all' }) => {
    const { connection, deployment } = cluster();
    return trade(connection, { mint: token.mint, wallet, deployment, ...terms });
  };

  before(async () => {
    token = await launchTrading(cluster());
    wallet = await cluster().fundedWallet(20n * SOL);
    const onCurve = await buyOrSell({ solToSpend: SOL });
    await openPool(cluster(), token);
    await untilOpen(cluster(), token);
    trades = [onCurve, await buyOrSell({ solToSpend: SOL }), await buyOrSell({ tokenToSpend: 'all' })];
  });

  const amounts = (records: readonly LaunchpadRecord[]) =>
    records.flatMap(({ kind, signature, slot, data }) =>
      kind !== 'trade' && kind !== 'swap'
        ? []
        : [
            {
              signature,
              slot,
              side: data.isBuy ? 'buy' : 'sell',
              sol: data.solAmount,
              token: data.tokenAmount,
            },
          ],
    );
  const expected = (results: readonly TradeResult[]) =>
    results.map(({ signature, slot, side, solAmount, tokenAmount }) => ({
      ...{ signature, slot, side, sol: solAmount, token: tokenAmount },
    }));

  it('has the trades in its pool in its history, after those on its curve', async () => {
    const { connection, deployment } = cluster();
    const records = await all(fetchHistory(connection, { mints: [token.mint], deployment }));
    const kinds = records.map(({ kind }) => kind);
    expect(kinds.slice(0, 1)).to.deep.equal(['create']);
    expect(kinds.slice(-4)).to.deep.equal(['migrate', 'graduate', 'swap', 'swap']);
    const own = records.filter(
      ({ kind, data }) => kind !== 'create' && 'trader' in data && data.trader.equals(wallet.publicKey),
    );
    expect(amounts(own)).to.deep.equal(expected(trades));
    const [swap] = records.filter(({ kind }) => kind === 'swap');
    const resumed = await all(fetchHistory(connection, { mints: [token.mint], deployment, from: swap! }));
    expect(amounts(resumed)).to.deep.equal(expected(trades.slice(2)));
  });

  it('delivers trades in its pool as they happen', async () => {
    const { connection, deployment } = cluster();
    const feed = openFeed(connection, { mints: [token.mint], deployment, kinds: ['swap'] });
    await feed.ready;
    const made = await buyOrSell({ solToSpend: SOL / 2n });
    for await (const event of feed) {
      if (event.type !== 'records') continue;
      expect(amounts(event.records)).to.deep.equal(expected([made]));
      const [{ data }] = event.records as [(typeof event.records)[number]];
      expect(data.mint.equals(token.mint) && data.trader.equals(wallet.publicKey)).to.equal(true);
      break;
    }
    trades.push(made);
  });

  it('has a wallet’s trades of all tokens, and of one', async () => {
    const { connection, deployment } = cluster();
    const other = await launchTrading(cluster());
    const elsewhere = await trade(connection, { mint: other.mint, wallet, deployment, solToSpend: SOL / 4n });
    const trader = wallet.publicKey;
    const everything = await all(fetchHistory(connection, { trader, deployment }));
    expect(amounts(everything)).to.deep.equal(expected([...trades, elsewhere]));
    const ofOne = await all(fetchHistory(connection, { trader, mints: [token.mint], deployment }));
    expect(amounts(ofOne)).to.deep.equal(expected(trades));
  });

  it('is refused by name where trades in pools cannot be listed', () => {
    const { connection } = cluster();
    for (const options of [{}, { mints: [token.mint, wallet.publicKey] }])
      expect(() => openFeed(connection, { ...options, kinds: ['swap'] }))
        .to.throw(InvalidArgumentError)
        .with.property('argument', 'kinds');
    expect(() => fetchHistory(connection, { trader: 'x' as never })).to.throw(InvalidArgumentError, 'trader');
  });

  for (const major of KIT_MAJORS) {
    it(`is the same with ${major}`, async () => {
      const kit = await kitFeed(major);
      const deployment = JSON.parse(JSON.stringify(cluster().deployment)) as Deployment;
      const rpc = createSolanaRpc(cluster().rpcUrl);
      const address = (key: { toBase58(): string }) => key.toBase58() as Address;
      const options = { mints: [address(token.mint)], trader: address(wallet.publicKey), deployment };
      const records = await all(kit.fetchHistory({ rpc }, options));
      const theirs = await all(
        fetchHistory(cluster().connection, {
          ...{ mints: [token.mint], trader: wallet.publicKey, deployment: cluster().deployment },
        }),
      );
      const text = (value: unknown) =>
        JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? Number(field) : field));
      expect(text(records)).to.equal(text(theirs));
      expect(records.length).to.equal(trades.length);
    });
  }
});
