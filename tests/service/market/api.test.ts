// The Market API on a real cluster: the answers of each path but the board. threat: shifting-pages, imitating-name
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import { Keypair } from '@solana/web3.js';
import {
  associatedTokenAddress,
  GRADUATION_VIRTUAL_TOKEN,
  marketCap,
  migrate,
  quoteSell,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { hiddenTokens, tasks, tokenMetadata, tokens as tokenRows } from '#app/db/schema/index.js';
import { reindex } from '#app/index/reindex.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { eventually } from '#tests/service/service.js';
import { buyTokens, curveState, launch, tokensOf } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { addressOf, namesOf, useMarketTokens } from '#tests/service/market-tokens.js';

describe(`the Market API (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { cluster, scene, trader, creator, traded, graduated, quiet } = useMarketTokens();

  it('returns the configuration that a page needs', async () => {
    const config = await scene().get.config();
    const { deployment } = cluster();
    expect(config).to.deep.include({
      chain: 'solana:localnet',
      rpcUrl: null,
      platformFeeBps: 100,
      supply: String(TOKEN_SUPPLY),
      graduationVirtualToken: String(GRADUATION_VIRTUAL_TOKEN),
      solUsd: null,
      explorer: null,
    });
    expect(config.deployment).to.deep.include({
      programId: deployment.programId.toBase58(),
      feeReceiver: deployment.feeReceiver.toBase58(),
    });
    const now = Number((await cluster().clock()).unixTimestamp);
    expect(config.clusterTime).to.be.within(now - 10, now + 10);
  });

  it('returns a token with the state of its curve', async () => {
    const token = await scene().get.token(traded());
    const { virtualSol, virtualToken } = await curveState(cluster(), traded());
    const cap = marketCap({ virtualSol, virtualToken });
    expect(token).to.deep.include({
      name: '$Morning Coffee',
      creator: creator().publicKey.toBase58(),
      status: 'trading',
      venue: 'curve',
      virtualSol: String(virtualSol),
      virtualToken: String(virtualToken),
      marketCap: String(cap),
      trades: 3,
      migration: null,
    });
    const { items } = await scene().get.trades(traded());
    const volume = items.reduce((sum, { solAmount }) => sum + BigInt(solAmount), 0n);
    expect(token.volume24h).to.equal(String(volume));
    expect(token.lastTradeAt).to.equal(items[0]!.timestamp);
    const first = marketCap({ virtualSol: 30n * SOL, virtualToken: BigInt(token.initialVirtualToken) });
    expect(token.change24hBps).to.equal(Number(((cap - first) * 10_000n) / first));
    expect(token.progressBps).to.be.within(1, 9_999);
  });

  it('counts names that look the same, and shows a token without a visible name by its address', async () => {
    const same = async (query: Record<string, string>) =>
      scene().get.names(new URLSearchParams(query).toString());
    const none = { names: 0, symbols: 0 };
    const otherCase = 'QUIET night';
    const cyrillic = 'Quiet N\u0456ght';
    const [fullWidth, zeroWidth] = ['\uff31uiet Night', 'Qui\u200bet Night'];
    // Unicode 13 had no look-alike for it.
    const nko = 'Quie\u07e0 Night';
    for (const name of ['Quiet Night', otherCase, cyrillic, fullWidth, zeroWidth, nko])
      expect(await same({ name }), name).to.deep.equal({ names: 1, symbols: 0 });
    expect(await same({ symbol: 'QU\u0406\u0415T' })).to.deep.equal({ names: 0, symbols: 1 });
    expect(await same({ name: 'Quiet Nights', symbol: 'QUIETS' })).to.deep.equal(none);
    expect(await same({ name: '\u3164' })).to.deep.equal(none);
    expect((await scene().get.token(quiet())).same, 'itself does not count').to.deep.equal(none);
    const { queries } = scene().service.context.database;
    const mint = addressOf(quiet());
    const rename = (name: string) => queries.update(tokenRows).set({ name }).where(eq(tokenRows.mint, mint));
    for (const blank of ['\u3164', '\u115f', '\u1160', '\uffa0', '\u2800', '\u200b', '\u0301']) {
      await rename(blank);
      expect((await scene().get.token(quiet())).name).to.equal(`${mint.slice(0, 4)}…${mint.slice(-4)}`);
    }
    await rename('Quiet Night');
  });

  it('returns a token without a trade, and a graduated one', async () => {
    expect(await scene().get.token(quiet())).to.deep.include({
      ...{ trades: 0, lastTradeAt: null, change24hBps: null, volume24h: '0', progressBps: 0 },
    });
    expect(await scene().get.token(graduated())).to.deep.include({
      ...{ status: 'graduated', venue: 'graduating', progressBps: 10_000 },
    });
  });

  it('lists trades, newest first, and filters them by trader and side', async () => {
    const { items } = await scene().get.trades(traded());
    expect(items.map(({ isBuy }) => isBuy)).to.deep.equal([false, true, true]);
    expect(items[0]).to.deep.include({
      venue: 'curve',
      trader: trader().publicKey.toBase58(),
      graduated: false,
    });
    expect(items[2]).to.deep.include({ solAmount: String(SOL), fee: String(SOL / 100n) });
    const ofCreator = await scene().get.trades(traded(), `trader=${creator().publicKey.toBase58()}`);
    expect(ofCreator.items).to.deep.equal([items[1]]);
    expect((await scene().get.trades(traded(), 'side=sell')).items).to.deep.equal([items[0]]);
    const first = await scene().get.trades(traded(), 'limit=2');
    const second = await scene().get.trades(traded(), `limit=2&cursor=${first.next}`);
    expect([...first.items, ...second.items]).to.deep.equal(items);
    expect(second.next).to.equal(null);
  });

  it('returns candles that open at the previous close', async () => {
    const token = await scene().get.token(traded());
    const created = marketCap({ virtualSol: 30n * SOL, virtualToken: BigInt(token.initialVirtualToken) });
    for (const interval of [1, 15, 60, 300, 900, 3_600, 14_400, 86_400]) {
      const { candles } = await scene().get.candles(traded(), `interval=${interval}`);
      let close = String(created);
      let trades = 0;
      for (const candle of candles) {
        expect(candle[0] % interval).to.equal(0);
        expect(candle[1]).to.equal(close);
        close = candle[4];
        trades += candle[6];
      }
      expect([close, trades]).to.deep.equal([token.marketCap, 3]);
      const to = candles[0]![0];
      expect(await scene().get.candles(traded(), `interval=${interval}&to=${to}`)).to.deep.equal({
        interval,
        candles: [],
      });
    }
  });

  it('shows a migration', async () => {
    const { deployment, feeReceiver } = cluster();
    const { mint } = graduated();
    await cluster().send(migrate({ mint, deployment }), [feeReceiver]);
    await eventually(
      async () => (await scene().get.token(graduated())).status === 'migrated',
      'the migration',
    );
    const { venue, migration } = await scene().get.token(graduated());
    expect(venue).to.equal('unknown');
    expect(migration).to.include({ pool: null, url: null });
  });

  it('lists the holders, and marks the curve and the creator', async () => {
    const { items, total, slot } = await scene().get.holders(traded());
    expect(total, 'the creator and the trader').to.equal(2);
    expect(slot).to.be.above(0);
    expect(items.map((holder) => holder.is)).to.deep.equal(['curve', 'creator', null]);
    const { connection } = cluster();
    const held = await tokensOf(
      connection,
      associatedTokenAddress(trader().publicKey, traded().mint).address,
    );
    const share = Number((held * 10_000n) / TOKEN_SUPPLY);
    expect(items[2]).to.deep.equal({
      ...{ wallet: trader().publicKey.toBase58(), amount: String(held), shareBps: share, is: null },
    });
    const largest = await scene().get.holders(traded(), 'limit=1');
    expect(largest.items).to.deep.equal([items[0]]);
    // The list is cached: the service does not query the node for each request.
    expect(largest.slot).to.equal(slot);
    const token = await launch(cluster(), { name: 'Held' });
    await buyTokens(cluster(), token, cluster().dexOwner, SOL);
    await eventually(
      () =>
        scene()
          .get.holders(token)
          .then(({ items: [, holder] }) => holder?.is === 'operator')
          .catch(() => false),
      "the operator's wallet among the holders",
    );
  });

  it('returns the tokens that a wallet has traded and created', async () => {
    const { tokens, created } = await scene().get.wallet(trader().publicKey);
    expect(created).to.deep.equal([]);
    expect(namesOf(tokens)).to.deep.equal(['Paper Boat', '$Morning Coffee']);
    const { items } = await scene().get.trades(traded(), `trader=${trader().publicKey.toBase58()}`);
    const [sold, bought] = items;
    const amount = BigInt(bought!.tokenAmount) - BigInt(sold!.tokenAmount);
    const { solOut: value } = quoteSell(
      { ...(await curveState(cluster(), traded())), platformFeeBps: 100 },
      amount,
    );
    // It trades nowhere until its pool opens, and this one was migrated by hand.
    expect(tokens.find(({ name }) => name === 'Paper Boat')).to.include({ value: null, profit: null });
    expect(tokens.find(({ name }) => name !== 'Paper Boat')).to.deep.include({
      amount: String(amount),
      traded: String(amount),
      untraded: '0',
      value: String(value),
      paid: bought!.solAmount,
      received: sold!.solAmount,
      profit: String(value + BigInt(sold!.solAmount) - BigInt(bought!.solAmount)),
    });
    expect(namesOf((await scene().get.wallet(creator().publicKey)).created)).to.deep.equal([
      '$Morning Coffee',
      'Quiet Night',
    ]);
    const nobody = Keypair.generate().publicKey;
    expect(await scene().get.wallet(nobody)).to.deep.equal({ tokens: [], created: [] });
  });

  it('says what is missing of the metadata, and when it is fetched again, but quotes nothing of a hidden token', async () => {
    const { queries } = scene().service.context.database;
    const mint = addressOf(traded());
    const retryAt = new Date(1_900_000_000_900);
    const metadata = async () => (await scene().get.token(traded())).metadata;
    const set = (row: Partial<typeof tokenMetadata.$inferInsert>) =>
      queries.update(tokenMetadata).set(row).where(eq(tokenMetadata.mint, mint));
    const postpone = () =>
      queries
        .insert(tasks)
        .values({ kind: 'metadata', subject: mint, attempts: 1, dueAt: retryAt })
        .onConflictDoUpdate({ target: [tasks.kind, tasks.subject], set: { dueAt: retryAt } });
    await eventually(async () => (await metadata()).fetched, 'the attempt of the service itself');
    try {
      await set({ problem: 'the server answers HTTP 404', pictureProblem: null });
      await postpone();
      const expected = { fetched: true, problem: 'the server answers HTTP 404', retryAt: 1_900_000_000 };
      expect(await metadata()).to.deep.equal(expected);
      await set({ problem: null, pictureProblem: 'has too many pixels' });
      expect(await metadata()).to.deep.equal({ ...expected, problem: 'the picture: has too many pixels' });
      await queries.insert(hiddenTokens).values({ mint, reason: 'test' });
      expect(await metadata()).to.deep.equal({ ...expected, problem: null });
    } finally {
      await queries.delete(hiddenTokens);
    }
  });

  it('replaces the name of a hidden token, also in a wallet', async () => {
    const { queries } = scene().service.context.database;
    const mint = addressOf(graduated());
    await queries.insert(hiddenTokens).values({ mint, reason: 'test' });
    const { tokens } = await scene().get.wallet(trader().publicKey);
    await queries.delete(hiddenTokens);
    expect(namesOf(tokens)).to.deep.equal(['Hidden token', '$Morning Coffee']);
  });

  it('lists the trades of a wallet across all tokens', async () => {
    const all = await scene().get.walletTrades(trader().publicKey);
    expect(all.items.map(({ mint }) => mint)).to.deep.equal([
      addressOf(graduated()),
      addressOf(traded()),
      addressOf(traded()),
    ]);
    expect(all.items[0]!.graduated).to.equal(true);
    const first = await scene().get.walletTrades(trader().publicKey, 'limit=1');
    const rest = await scene().get.walletTrades(trader().publicKey, `cursor=${first.next}`);
    expect([...first.items, ...rest.items]).to.deep.equal(all.items);
  });

  it('neither loses nor repeats a trade across pages while new trades arrive', async () => {
    const before = (await scene().get.trades(traded())).items;
    const seen: string[] = [];
    let trades = before.length;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await scene().get.trades(traded(), `limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
      await buyTokens(cluster(), traded(), trader(), SOL / 10n);
      trades += 1;
      await scene().untilTraded(traded(), trades);
    }
    expect(seen).to.deep.equal(before.map(({ id }) => id));
  });

  it('returns the same data after a reindex', async () => {
    const read = async () => {
      const token = await scene().get.token(traded());
      const { items } = await scene().get.trades(traded());
      return {
        token: { ...token, finalized: true },
        trades: items.map((trade) => ({ ...trade, id: '', finalized: true })),
        candles: await scene().get.candles(traded()),
        wallet: (await scene().get.wallet(trader().publicKey)).tokens,
        board: namesOf((await scene().get.tokens('sort=marketCap')).items),
      };
    };
    const before = await read();
    await reindex(scene().service.context.database);
    await scene().untilTraded(traded(), before.trades.length);
    const { length } = before.board;
    await eventually(async () => (await scene().get.tokens()).items.length === length, 'all tokens');
    await eventually(
      async () => (await scene().get.token(graduated())).status === 'migrated',
      'the migration',
    );
    expect(await read()).to.deep.equal(before);
  });
});
