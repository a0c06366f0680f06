// Trades of graduated tokens: indexed from their pools like trades on the curve, through reorgs, restarts and a
// reindex. threat: reorg-chart
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, type PublicKey } from '@solana/web3.js';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  buy,
  formatSol,
  formatTokens,
  marketCap,
  quoteSell,
  sell,
  type PoolMarket,
  type PoolState,
} from '@curvekit/sdk';
import { statement } from '#app/db/database.js';
import { reindex } from '#app/index/store/state.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import {
  launchTrading,
  marketOf,
  openPool,
  sendGraduation,
  untilOpen,
  type GraduatingToken,
} from '#tests/graduation/graduating.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, tokensOf, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';
import { eventually, finalize } from '#tests/service/service.js';

type ListedEvent = Readonly<
  Record<'eventType' | 'txnId' | 'pairId' | 'maker' | 'priceNative', string> & { reserves: object }
>;
const whole = (text: string) => (text.includes('.') ? text : `${text}.0`);
const tokensOfText = (units: bigint) => whole(formatTokens(units));
const solOfText = (lamports: bigint) => whole(formatSol(lamports));

describe(`trades in pools (${DATABASE_KIND})`, function () {
  this.timeout(90_000);
  const cluster = useCluster();
  let proxy: RpcProxy;
  let scene: MarketScene;
  let trader: Keypair;
  let token: GraduatingToken;
  /** The pool's state after each trade, oldest first, with the trade's signature. */
  const states: { readonly signature: string; readonly pool: PoolState }[] = [];

  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl, { batches: true });
    trader = await cluster().fundedWallet(50n * SOL);
    token = await launchTrading(cluster());
    scene = await startMarketScene(cluster(), {
      RPC_URL: proxy.url,
      RATE_LIMIT_REQUESTS: '100000',
      LISTING_POOLS: 'on',
    });
    await buyTokens(cluster(), token, cluster().payer, SOL);
    await openPool(cluster(), token);
  });
  after(async () => {
    await scene?.service.stop();
    await proxy?.stop();
  });

  const live = async () => (await marketOf(cluster(), token)) as PoolMarket;
  const params = async () => ({
    market: await live(),
    payer: trader.publicKey,
    deployment: cluster().deployment,
  });
  async function buyInPool(solToSpend: bigint): Promise<void> {
    const { signature } = await cluster().send(
      buy({ ...(await params()), solToSpend, minTokenToReceive: 0n }),
      [trader],
    );
    states.push({ signature, pool: (await live()).pool });
  }
  async function sellInPool(tokenToSpend: bigint): Promise<void> {
    const { signature } = await cluster().send(
      sell({ ...(await params()), tokenToSpend, minSolToReceive: 0n }),
      [trader],
    );
    states.push({ signature, pool: (await live()).pool });
  }
  const held = () =>
    tokensOf(cluster().connection, associatedTokenAddress(trader.publicKey, token.mint).address);

  /** Expects the Market API to return every pool trade as on chain, newest first. */
  async function expectPoolTrades(expected: typeof states): Promise<void> {
    await scene.untilTraded(token, 2 + expected.length);
    const { items } = await scene.get.trades(token);
    expect(items.map(({ venue }) => venue)).to.deep.equal([...expected.map(() => 'pool'), 'curve', 'curve']);
    for (const [index, { signature, pool }] of [...expected].reverse().entries())
      expect(items[index]).to.include({
        signature,
        trader: trader.publicKey.toBase58(),
        virtualSol: String(pool.sol),
        virtualToken: String(pool.token),
      });
    const shown = await scene.get.token(token);
    const last = expected.at(-1)!.pool;
    expect(shown).to.deep.include({
      status: 'migrated',
      venue: 'pool',
      virtualSol: String(last.sol),
      virtualToken: String(last.token),
      marketCap: String(marketCap({ virtualSol: last.sol, virtualToken: last.token })),
    });
  }

  /** The stored rows of trades, without their ids. */
  async function kept(): Promise<unknown> {
    const { queries } = scene.service.context.database;
    return {
      candles: await statement(queries)`
        select minute::text, open::text, high::text, low::text, close::text, volume::text, trades from candles order by minute`,
      positions: await statement(queries)`
        select wallet, amount::text, paid::text, received::text, trades::text from positions order by wallet`,
      tokens: await statement(queries)`
        select mint, status, virtual_sol::text, virtual_token::text, market_cap::text, day_volume::text, trades::text
        from market_tokens`,
      pool: await statement(queries)`
        select signature, sol_amount::text, token_amount::text, fee::text, virtual_sol::text, timestamp::text
        from trades where venue = 'pool' order by id`,
    };
  }

  const poolId = () => token.pool.pool.toBase58();
  const ask = async <Answer>(path: string) =>
    (await (
      await fetch(scene.service.url + path, { headers: { 'cache-control': 'no-cache' } })
    ).json()) as Answer;
  const newestBlock = async (dex: string) =>
    (await ask<{ block?: { blockNumber: number } }>(`/adapters/${dex}/latest-block`)).block;
  /** All events up to the newest block that is complete; none while there is no such block. */
  async function listed(dex: string) {
    const block = await newestBlock(dex);
    if (block === undefined) return [];
    const range = `fromBlock=${Math.max(0, block.blockNumber - 10_000)}&toBlock=${block.blockNumber}`;
    return (await ask<{ events: ListedEvent[] }>(`/adapters/${dex}/events?${range}`)).events;
  }

  it('appear once confirmed, with the reserves on chain', async () => {
    await buyInPool(2n * SOL);
    await sellInPool((await held()) / 3n);
    await buyInPool(SOL / 10n);
    await expectPoolTrades(states);
    const { items } = await scene.get.trades(token, 'limit=3');
    const [smallBuy, sale, firstBuy] = items;
    // The fee is 0.25 % of the amount paid, rounded up.
    expect(firstBuy).to.include({ isBuy: true, solAmount: String(2n * SOL), fee: '5000000' });
    expect(smallBuy).to.include({ isBuy: true, solAmount: String(SOL / 10n), fee: '250000' });
    expect(sale).to.include({ isBuy: false });
    expect(Number(sale!.fee) / Number(sale!.solAmount)).to.be.closeTo(0.0025, 1e-6);
  });

  it('continue the chart: each candle opens at the previous close', async () => {
    const { candles } = await scene.get.candles(token, 'interval=60');
    for (const [index, [, open]] of candles.entries())
      if (index > 0) expect(open).to.equal(candles[index - 1]![4]);
    const [, , , , close] = candles.at(-1)!;
    const { pool } = states.at(-1)!;
    expect(close).to.equal(String(marketCap({ virtualSol: pool.sol, virtualToken: pool.token })));
  });

  it('disappear if a reorg removes them, and reappear if they land again', async () => {
    const before = await kept();
    await buyInPool(SOL);
    const lost = states.at(-1)!.signature;
    await expectPoolTrades(states);
    const pool = token.pool.pool.toBase58();
    proxy.rewrite(({ method, params: [address] }, result) =>
      method === 'getSignaturesForAddress' && address === pool
        ? (result as { signature: string }[]).filter(({ signature }) => signature !== lost)
        : result,
    );
    await expectPoolTrades(states.slice(0, -1));
    expect(await kept()).to.deep.equal(before);
    proxy.rewrite(undefined);
    await expectPoolTrades(states);
  });

  it('are listed for aggregators where the operator wants it, once they and those of all other pools are final', async () => {
    expect((await listed('dexscreener')).filter(({ pairId }) => pairId === poolId())).to.deep.equal([]);
    for (let half = 0; half < 2; half += 1) await finalize(cluster());
    await eventually(async () => (await listed('dexscreener')).at(-1)?.pairId === poolId(), 'the pool');
    const events = (await listed('dextools')).filter(({ pairId }) => pairId === poolId());
    const [creation, ...swaps] = events;
    expect(creation).to.deep.include({ eventType: 'creation', eventIndex: 1 });
    expect(swaps.map(({ txnId }) => txnId)).to.deep.equal(states.map(({ signature }) => signature));
    for (const [index, { pool }] of states.entries()) {
      const { reserves, priceNative, maker } = swaps[index]!;
      expect(reserves).to.deep.equal({ asset0: tokensOfText(pool.token), asset1: solOfText(pool.sol) });
      expect(Number(priceNative)).to.be.closeTo(Number(pool.sol) / Number(pool.token) / 1_000, 1e-18);
      expect(maker).to.equal(trader.publicKey.toBase58());
    }
    expect(swaps[0]).to.include({ asset1In: '2.0' });
    const { pair } = await ask<{ pair: object }>(`/adapters/dexscreener/pair?id=${poolId()}`);
    expect(pair).to.deep.include({
      id: poolId(),
      asset0Id: token.mint.toBase58(),
      createdAtTxnId: creation!.txnId,
    });
    expect(pair).not.to.have.property('feeBps');
  });

  it('hold the listing of everything while they cannot be read', async () => {
    // As a node that has not reached the graduation.
    proxy.rewrite(({ method, params: [addresses] }, result) =>
      method === 'getMultipleAccounts' && (addresses as string[]).includes(poolId())
        ? { ...(result as object), value: (addresses as string[]).map(() => null) }
        : result,
    );
    await buyInPool(SOL / 5n);
    const traded = await cluster().connection.getSlot('confirmed');
    for (let half = 0; half < 2; half += 1) await finalize(cluster());
    const { queries } = scene.service.context.database;
    const booked = () => statement(queries)`select 1 from indexer_state where scanned_slot > ${traded}`;
    await eventually(async () => (await booked()).length > 0, 'the finalized index');
    await sleep(10 * scene.service.context.config.indexer.pollMs);
    expect((await listed('dexscreener')).at(-1)!.txnId).to.equal(states.at(-2)!.signature);
    expect((await newestBlock('dexscreener'))!.blockNumber).to.be.below(traded);
    proxy.rewrite(undefined);
    const last = states.at(-1)!.signature;
    await eventually(async () => (await listed('dexscreener')).at(-1)!.txnId === last, 'the last trade');
  });

  it('are the same after a reindex', async () => {
    await finalize(cluster());
    await scene.untilTraded(token, 2 + states.length);
    const [before, events] = [await kept(), await listed('dextools')];
    await reindex(scene.service.context.database);
    await eventually(
      async () => JSON.stringify(await kept()) === JSON.stringify(before),
      'the tables to be as before',
    );
    await expectPoolTrades(states);
    await eventually(async () => (await listed('dextools')).length === events.length, 'the listing');
    expect(await listed('dextools')).to.deep.equal(events);
  });

  it('value a position at a sale of all of it, not at the last price, and follow tokens that were sent away', async () => {
    const whale = await cluster().fundedWallet(200n * SOL);
    const friend = Keypair.generate().publicKey;
    const sold = await launchTrading(cluster());
    const { mint } = sold;
    await buyTokens(cluster(), sold, whale, WHOLE_CURVE_LAMPORTS);
    await sendGraduation(cluster(), sold);
    await untilOpen(cluster(), sold);
    await scene.untilTraded(sold, 1);
    await eventually(async () => (await scene.get.token(sold)).venue === 'pool', 'the pool');
    const positionOf = async (wallet: PublicKey) =>
      (await scene.get.wallet(wallet)).tokens.find((one) => one.mint === mint.toBase58())!;
    const saleOf = async (amount: bigint) => quoteSell(await marketOf(cluster(), sold), amount).solOut;
    const amountOf = (wallet: PublicKey) =>
      tokensOf(cluster().connection, associatedTokenAddress(wallet, mint).address);

    const all = await amountOf(whale.publicKey);
    const whole = await positionOf(whale.publicKey);
    const paid = BigInt(whole.paid);
    const value = await saleOf(all);
    expect(whole).to.include({
      amount: String(all),
      traded: String(all),
      untraded: '0',
      value: String(value),
    });
    expect(whole.profit).to.equal(String(value - paid));
    expect([Number(paid), Number(value)].map((lamports) => Math.round(lamports / 1e9))).to.deep.equal([
      86, 67,
    ]);

    const { address: source } = associatedTokenAddress(whale.publicKey, mint);
    const { address: target } = associatedTokenAddress(friend, mint);
    await cluster().send(
      [
        createAssociatedTokenAccountIdempotentInstruction(whale.publicKey, target, friend, mint),
        createTransferInstruction(source, target, whale.publicKey, all / 2n),
      ],
      [whale],
    );
    const left = all - all / 2n;
    const half = await saleOf(left);
    expect(await positionOf(whale.publicKey)).to.include({
      ...{ amount: String(left), traded: String(all), untraded: String(-(all / 2n)), value: String(half) },
      profit: String(half - paid),
    });
    const came = await saleOf(all / 2n);
    expect(await positionOf(friend)).to.include({
      ...{ amount: String(all / 2n), traded: '0', untraded: String(all / 2n), paid: '0', received: '0' },
      ...{ value: String(came), profit: String(came) },
    });
  });

  it('say what was traded, and no amount, while the node does not answer', async () => {
    proxy.rewrite(({ method }, result) => {
      return method === 'getTokenAccountsByOwner' ? new RpcFailure(-32005, 'the node is behind') : result;
    });
    const { tokens } = await scene.get.wallet(trader.publicKey);
    expect(tokens[0]).to.include({ amount: null, untraded: null, value: null, profit: null });
    expect(BigInt(tokens[0]!.traded) > 0n).to.equal(true);
  });
});
