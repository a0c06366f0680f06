// The Market API on a real cluster: the answers of each path, what it refuses, and the SDK's client of it.
// threat: shifting-pages, imitating-name, any-search, foreign-token
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eq, like, sql } from 'drizzle-orm';
import { Keypair } from '@solana/web3.js';
import {
  associatedTokenAddress,
  GRADUATION_VIRTUAL_TOKEN,
  marketCap,
  migrate,
  quoteSell,
  sell,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { ApiError, MarketClient } from '@curvekit/sdk/market';
import {
  candles,
  hiddenTokens,
  tasks,
  tokenMetadata,
  tokens as tokenRows,
  tokenTerms,
} from '#app/db/schema/index.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { eventually } from '#tests/service/service.js';
import {
  buyTokens,
  curveState,
  launch,
  tokensOf,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { fieldsOf } from '#tests/service/api-client.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';

const addressOf = ({ mint }: Token) => mint.toBase58();
const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe(`the Market API (${DATABASE_KIND})`, () => {
  const cluster = useKeyHeldCluster();
  let scene: MarketScene;
  let client: MarketClient;
  let trader: Keypair;
  let creator: Keypair;
  /** Tokens: one that is traded, one that has graduated, and one without a trade. */
  let traded: Token;
  let graduated: Token;
  let quiet: Token;

  before(async () => {
    trader = await cluster().fundedWallet(200n * SOL);
    creator = await cluster().fundedWallet(10n * SOL);
    scene = await startMarketScene(cluster(), { SOL_PRICE_URL: 'usd:142.5' });
    client = new MarketClient({ baseUrl: scene.service.url, fetch: scene.api.answers.fetch });
    quiet = await launch(cluster(), { name: 'Quiet Night', symbol: 'QUIET' }, creator);
    traded = await launch(cluster(), { name: '$Morning Coffee', symbol: 'COFFEE' }, creator);
    graduated = await launch(cluster(), { name: 'Paper Boat', symbol: 'BOAT' });
    await buyTokens(cluster(), traded, trader, SOL);
    await buyTokens(cluster(), traded, creator, 2n * SOL);
    const { mint } = traded;
    const held = await tokensOf(cluster().connection, associatedTokenAddress(trader.publicKey, mint).address);
    const params = { mint, payer: trader.publicKey, deployment: cluster().deployment };
    await cluster().send(sell({ ...params, tokenToSpend: held / 2n, minSolToReceive: 0n }), [trader]);
    await buyTokens(cluster(), graduated, trader, WHOLE_CURVE_LAMPORTS);
    await scene.untilTraded(traded, 3);
    await scene.untilTraded(graduated, 1);
  });
  after(() => scene?.service.stop());

  it('returns the configuration that a page needs', async () => {
    const config = await scene.get.config();
    const { deployment } = cluster();
    expect(config).to.deep.include({
      chain: 'solana:localnet',
      rpcUrl: null,
      platformFeeBps: 100,
      supply: String(TOKEN_SUPPLY),
      graduationVirtualToken: String(GRADUATION_VIRTUAL_TOKEN),
      ...{ solUsd: '142.5', solUsdAge: 0, graduation: 'key' },
      explorer: null,
    });
    expect(config.solUsdAt).to.be.closeTo(Date.now() / 1_000, 10);
    expect(config.deployment).to.deep.include({
      programId: deployment.programId.toBase58(),
      feeReceiver: deployment.feeReceiver.toBase58(),
    });
    const now = Number((await cluster().clock()).unixTimestamp);
    expect(config.clusterTime).to.be.within(now - 10, now + 10);
  });

  it('returns a token with the state of its curve', async () => {
    const token = await scene.get.token(traded);
    const { virtualSol, virtualToken } = await curveState(cluster(), traded);
    const cap = marketCap({ virtualSol, virtualToken });
    expect(token).to.deep.include({
      name: '$Morning Coffee',
      creator: creator.publicKey.toBase58(),
      status: 'trading',
      venue: 'curve',
      virtualSol: String(virtualSol),
      virtualToken: String(virtualToken),
      marketCap: String(cap),
      trades: 3,
      migration: null,
    });
    const { items } = await scene.get.trades(traded);
    const volume = items.reduce((sum, { solAmount }) => sum + BigInt(solAmount), 0n);
    expect(token.volume24h).to.equal(String(volume));
    expect(token.lastTradeAt).to.equal(items[0]!.timestamp);
    const first = marketCap({ virtualSol: 30n * SOL, virtualToken: BigInt(token.initialVirtualToken) });
    expect(token.change24hBps).to.equal(Number(((cap - first) * 10_000n) / first));
    expect(token.progressBps).to.be.within(1, 9_999);
  });

  it('counts names that look the same, and shows a token without a visible name by its address', async () => {
    const same = async (query: Record<string, string>) =>
      scene.get.names(new URLSearchParams(query).toString());
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
    expect((await scene.get.token(quiet)).same, 'itself does not count').to.deep.equal(none);
    const { queries } = scene.service.context.database;
    const mint = addressOf(quiet);
    const rename = (name: string) => queries.update(tokenRows).set({ name }).where(eq(tokenRows.mint, mint));
    for (const blank of ['\u3164', '\u115f', '\u1160', '\uffa0', '\u2800', '\u200b', '\u0301']) {
      await rename(blank);
      expect((await scene.get.token(quiet)).name).to.equal(`${mint.slice(0, 4)}…${mint.slice(-4)}`);
    }
    await rename('Quiet Night');
  });

  it('returns a token without a trade, and a graduated one', async () => {
    expect(await scene.get.token(quiet)).to.deep.include({
      ...{ trades: 0, lastTradeAt: null, change24hBps: null, volume24h: '0', progressBps: 0 },
    });
    expect(await scene.get.token(graduated)).to.deep.include({
      ...{ status: 'graduated', venue: 'graduating', progressBps: 10_000 },
    });
  });

  it('lists trades, newest first, and filters them by trader and side', async () => {
    const { items } = await scene.get.trades(traded);
    expect(items.map(({ isBuy }) => isBuy)).to.deep.equal([false, true, true]);
    expect(items[0]).to.deep.include({
      venue: 'curve',
      trader: trader.publicKey.toBase58(),
      graduated: false,
    });
    expect(items[2]).to.deep.include({ solAmount: String(SOL), fee: String(SOL / 100n) });
    const ofCreator = await scene.get.trades(traded, `trader=${creator.publicKey.toBase58()}`);
    expect(ofCreator.items).to.deep.equal([items[1]]);
    expect((await scene.get.trades(traded, 'side=sell')).items).to.deep.equal([items[0]]);
    const first = await scene.get.trades(traded, 'limit=2');
    const second = await scene.get.trades(traded, `limit=2&cursor=${first.next}`);
    expect([...first.items, ...second.items]).to.deep.equal(items);
    expect(second.next).to.equal(null);
  });

  it('returns a trade by its transaction, with its place in the slot', async () => {
    const { items } = await scene.get.trades(traded);
    for (const trade of items) {
      const inSlot = items.filter(({ slot }) => slot === trade.slot).reverse();
      const at = inSlot.findIndex(({ id }) => id === trade.id);
      const beside = inSlot.filter((_trade, index) => Math.abs(index - at) === 1);
      const item = { trade, place: at + 1, of: inSlot.length, beside };
      expect(await client.receipt(trade.signature, { fresh: true })).to.deep.equal({ items: [item] });
    }
    const unknown = await rejection<ApiError>(client.receipt('1'.repeat(64)), ApiError);
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'TRADE_NOT_FOUND']);
    const hostile = await rejection<ApiError>(client.receipt('/../none'), ApiError);
    expect(hostile.fields.map(({ field }) => field)).to.deep.equal(['signature']);
  });

  it('lists trades oldest first too, and refuses a cursor of the other order', async () => {
    const { items } = await scene.get.trades(traded);
    expect((await scene.get.trades(traded, 'order=newest')).items).to.deep.equal(items);
    const seen: string[] = [];
    for (
      let cursor: string | undefined, next: string | null = '';
      next !== null;
      cursor = next ?? undefined
    ) {
      const page = await client.tokenTrades(addressOf(traded), { order: 'oldest', limit: 1, cursor });
      seen.push(...page.items.map(({ id }) => id));
      next = page.next;
    }
    expect(seen).to.deep.equal(items.map(({ id }) => id).toReversed());
    const bought = await scene.get.trades(traded, 'order=oldest&side=buy');
    expect(bought.items).to.deep.equal([items[2], items[1]]);
    const wallet = trader.publicKey.toBase58();
    const own = await client.walletTrades(wallet, { order: 'oldest', limit: 2 });
    expect(own.items).to.deep.equal([items[2], items[0]]);
    expect(
      (await client.tokenTrades(addressOf(traded), { order: 'oldest', trader: wallet })).items,
    ).to.deep.equal(own.items);
  });

  it('lists named tokens in the order asked, without unknown and hidden ones', async () => {
    const unknown = Keypair.generate().publicKey.toBase58();
    const named = [quiet, graduated, traded].map(addressOf);
    const page = await client.tokens({ mints: [named[0]!, unknown, named[1]!, named[2]!] });
    expect(page.items.map(({ mint }) => mint)).to.deep.equal(named);
    expect(page.next).to.equal(null);
    const { items } = await scene.get.tokens();
    expect(items).to.deep.include.members(page.items);
    expect(await client.tokens({ mints: [unknown] })).to.deep.equal({ items: [], next: null });
    const { queries } = scene.service.context.database;
    await queries.insert(hiddenTokens).values({ mint: named[1]!, reason: 'test' });
    const shown = await scene.get.tokens(`mints=${named.join(',')}`);
    await queries.delete(hiddenTokens);
    expect(shown.items.map(({ mint }) => mint)).to.deep.equal([named[0], named[2]]);
    const most = Array.from({ length: 50 }, () => Keypair.generate().publicKey.toBase58());
    expect((await client.tokens({ mints: most })).items).to.deep.equal([]);
    const wrong: [query: string, fields: string[], message: RegExp][] = [
      [[...most, named[0]].join(','), ['mints'], /names 51 tokens; name at most 50/],
      [`${named[0]},${named[0]}`, ['mints'], /names a token twice/],
      [`${named[0]},me`, ['mints'], /invalid entry 2/],
      ['', ['mints'], /invalid entry 1/],
      [
        `${named[0]}&q=x&creator=${unknown}&status=trading`,
        ['status', 'creator', 'q'],
        /does not go with mints/,
      ],
      [
        `${named[0]}&cursor=${(await scene.get.tokens('limit=1')).next}`,
        ['cursor'],
        /does not go with mints/,
      ],
    ];
    for (const [query, fields, message] of wrong) {
      const answer = await scene.api.get(`/v1/market/tokens?mints=${query}`);
      expect([answer.status, ...fieldsOf(answer)], query).to.deep.equal([400, ...fields]);
      expect(answer.text).to.match(message);
    }
  });

  it('returns candles that open at the previous close', async () => {
    const token = await scene.get.token(traded);
    const created = marketCap({ virtualSol: 30n * SOL, virtualToken: BigInt(token.initialVirtualToken) });
    for (const interval of [1, 15, 60, 300, 900, 3_600, 14_400, 86_400]) {
      const { candles } = await scene.get.candles(traded, `interval=${interval}`);
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
      expect(await scene.get.candles(traded, `interval=${interval}&to=${to}`)).to.deep.equal({
        interval,
        candles: [],
      });
    }
  });

  it('sorts the board, page by page', async () => {
    for (const sort of ['new', 'marketCap', 'volume24h', 'progress', 'lastTrade']) {
      const { items, next } = await scene.get.tokens(`sort=${sort}`);
      expect(next).to.equal(null);
      // Two trades of the same second can come in either order.
      if (sort === 'lastTrade') expect(items[2]!.name).to.equal('Quiet Night');
      else expect(namesOf(items), sort).to.deep.equal(['Paper Boat', '$Morning Coffee', 'Quiet Night']);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await scene.get.tokens(`sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...namesOf(page.items));
        cursor = page.next;
      }
      expect(seen, `${sort}, one by one`).to.deep.equal(namesOf(items));
    }
  });

  it('finds tokens by status, creator, name, symbol and mint', async () => {
    const found = async (query: string) => namesOf((await scene.get.tokens(`sort=marketCap&${query}`)).items);
    expect(await found('status=graduated')).to.deep.equal(['Paper Boat']);
    expect(await found('status=trading')).to.deep.equal(['$Morning Coffee', 'Quiet Night']);
    expect(await found('status=migrated')).to.deep.equal([]);
    expect(await found(`creator=${creator.publicKey.toBase58()}`)).to.deep.equal([
      '$Morning Coffee',
      'Quiet Night',
    ]);
    expect(await found(`q=${creator.publicKey.toBase58()}`)).to.deep.equal([
      '$Morning Coffee',
      'Quiet Night',
    ]);
    expect(await found('q=coff')).to.deep.equal(['$Morning Coffee']);
    expect(await found('q=MORNING%20c')).to.deep.equal(['$Morning Coffee']);
    expect(await found('q=quiet')).to.deep.equal(['Quiet Night']);
    expect(await found(`q=${addressOf(graduated).slice(0, 8)}`)).to.deep.equal(['Paper Boat']);
    expect(await found('q=ning%20COF')).to.deep.equal(['$Morning Coffee']);
    expect(await found('q=iet')).to.deep.equal(['Quiet Night']);
    expect(await found('q=OAT')).to.deep.equal(['Paper Boat']);
    for (const q of ['et', 'ng', 'iet%20Nigth']) expect(await found(`q=${q}`), q).to.deep.equal([]);
    expect(await found('q=%27;--&status=trading')).to.deep.equal([]);
  });

  it('finds inside names also of tokens from before, whose terms a migration has added', async () => {
    const { queries } = scene.service.context.database;
    const terms = () => queries.select().from(tokenTerms).orderBy(tokenTerms.term, tokenTerms.mint);
    const booked = await terms();
    await queries.delete(tokenTerms).where(like(tokenTerms.term, '~%'));
    expect(await terms()).to.have.length.below(booked.length);
    const file = new URL('../../../app/database/0005_names_inside.sql', import.meta.url);
    await queries.execute(sql.raw(readFileSync(file, 'utf8')));
    expect(await terms()).to.deep.equal(booked);
  });

  it('finds tokens by their volume, their age and what the creator sold, with all other filters, page by page', async () => {
    const found = async (query: string) => namesOf((await scene.get.tokens(`sort=marketCap&${query}`)).items);
    const { volume24h, createdAt } = await scene.get.token(traded);
    const more = String(BigInt(volume24h) + 1n);
    expect(await found(`minVolume24h=${volume24h}`)).to.deep.equal(['Paper Boat', '$Morning Coffee']);
    expect(await found(`minVolume24h=${more}`)).to.deep.equal(['Paper Boat']);
    expect(await found(`minVolume24h=${volume24h}&status=trading&q=off`)).to.deep.equal(['$Morning Coffee']);
    expect(await found('maxAge=3600&limit=2')).to.deep.equal(['Paper Boat', '$Morning Coffee']);
    const { clusterTime } = await scene.get.config();
    expect(await found(`maxAge=${clusterTime - createdAt + 30}&creatorSold=none`)).to.have.length(3);
    const { queries } = scene.service.context.database;
    const old = (seconds: number) =>
      queries
        .update(tokenRows)
        .set({ createdAt: createdAt - seconds })
        .where(eq(tokenRows.mint, addressOf(traded)));
    await old(7_200);
    expect(await found('maxAge=3600')).to.deep.equal(['Paper Boat', 'Quiet Night']);
    await old(0);
    const soldByCreator = (units: bigint) =>
      queries.execute(sql`update position_rows set sold = ${String(units)}::numeric
        where wallet_id = (select id from addresses where address = ${creator.publicKey.toBase58()})
          and mint_id = (select id from addresses where address = ${addressOf(traded)})`);
    await soldByCreator(1n);
    expect(await found('creatorSold=none')).to.deep.equal(['Paper Boat', 'Quiet Night']);
    const first = await client.tokens({ creatorSold: 'none', minVolume24h: 0n, maxAge: 3_600, limit: 1 });
    const next = { creatorSold: 'none', minVolume24h: 0n, maxAge: 3_600, cursor: first.next! } as const;
    expect(namesOf([...first.items, ...(await client.tokens(next)).items])).to.deep.equal([
      'Paper Boat',
      'Quiet Night',
    ]);
    await soldByCreator(0n);
  });

  it('says what tokens were worth, of those that there are, in the order asked', async () => {
    const unknown = Keypair.generate().publicKey.toBase58();
    const { items } = await client.prices({ mints: [quiet, graduated].map(addressOf).concat(unknown) });
    expect(items.map(({ mint }) => mint)).to.deep.equal([quiet, graduated].map(addressOf));
    const [still, moved] = await Promise.all([quiet, graduated].map((token) => scene.get.token(token)));
    expect(new Set([items[0]!.marketCap5m, items[0]!.marketCap1h, ...items[0]!.spark])).to.deep.equal(
      new Set([still!.marketCap]),
    );
    expect(items[0]!.spark).to.have.length(24);
    expect([items[0]!.volume5m, items[0]!.volume1h]).to.deep.equal(['0', '0']);
    // Its one trade, seconds ago, sold it out.
    expect([items[1]!.volume5m, items[1]!.volume1h]).to.deep.equal([moved!.volume24h, moved!.volume24h]);
    expect([items[1]!.marketCap5m, items[1]!.marketCap1h]).to.deep.equal([
      still!.marketCap,
      still!.marketCap,
    ]);
    expect(items[1]!.spark.at(-1)).to.equal(moved!.marketCap);
    expect((await rejection(client.prices({ mints: [] }), ApiError)).fields[0]?.field).to.equal('mints');
  });

  it('says what a token was worth five minutes, an hour and hours ago, by its candles', async () => {
    const mint = addressOf(traded);
    const { queries } = scene.service.context.database;
    const { clusterTime: now } = await scene.get.config();
    const minute = (ago: number) => now - ago - ((now - ago) % 60);
    const kept = await queries.select().from(candles).where(eq(candles.mint, mint));
    const { createdAt } = await scene.get.token(traded);
    const old = (ago: number, open: bigint, volume: bigint) => ({
      ...kept[0]!,
      ...{ minute: minute(ago), open, close: open + 1n, volume },
    });
    await queries.delete(candles).where(eq(candles.mint, mint));
    await queries
      .insert(candles)
      .values([...[old(80_000, 1n, 1_000n), old(7_200, 2n, 100n), old(1_800, 3n, 10n), old(120, 4n, 1n)]]);
    await queries
      .update(tokenRows)
      .set({ createdAt: now - 200_000 })
      .where(eq(tokenRows.mint, mint));
    const { items } = await client.prices({ mints: [mint], fresh: true });
    const { marketCap } = await scene.get.token(traded);
    await queries.delete(candles).where(eq(candles.mint, mint));
    await queries.insert(candles).values(kept);
    await queries.update(tokenRows).set({ createdAt }).where(eq(tokenRows.mint, mint));
    const { spark, ...rest } = items[0]!;
    expect(rest).to.deep.equal({ mint, marketCap5m: '4', marketCap1h: '3', volume5m: '1', volume1h: '11' });
    // At the beginning what it was worth before, then each 62 minutes and 36 seconds.
    expect(spark.slice(2, 21)).to.deep.equal(Array(19).fill('2'));
    expect(spark.slice(22)).to.deep.equal(['3', marketCap]);
  });

  it('answers 404 for a mint that is not a token of the launchpad', async () => {
    const unknown = Keypair.generate().publicKey.toBase58();
    for (const path of ['', '/trades', '/candles', '/holders']) {
      const { status, body } = await scene.api.get(`/v1/market/tokens/${unknown}${path}`);
      expect([status, body['code']], path).to.deep.equal([404, 'TOKEN_NOT_FOUND']);
    }
  });

  it('names the invalid field', async () => {
    const token = `/tokens/${addressOf(traded)}`;
    const { next } = await scene.get.tokens('sort=marketCap&limit=1');
    const { next: newest } = await scene.get.trades(traded, 'limit=1');
    const { next: oldest } = await scene.get.trades(traded, 'limit=1&order=oldest');
    const wrong: [path: string, field: string][] = [
      ['/tokens?sort=age', 'sort'],
      ['/tokens?status=dead', 'status'],
      ['/tokens?creator=me', 'creator'],
      ['/tokens?limit=101', 'limit'],
      ['/tokens?cursor=x', 'cursor'],
      [`/tokens?sort=new&cursor=${next}`, 'cursor'],
      ['/tokens?q=%20', 'q'],
      [`/tokens?q=${'x'.repeat(65)}`, 'q'],
      ['/tokens?minVolume24h=0.1', 'minVolume24h'],
      ['/tokens?maxAge=0', 'maxAge'],
      ['/tokens?creatorSold=half', 'creatorSold'],
      ['/prices', 'mints'],
      ['/tokens/me', 'mint'],
      [`${token}/trades?side=both`, 'side'],
      [`${token}/trades?limit=201`, 'limit'],
      [`${token}/trades?cursor=${next}`, 'cursor'],
      [`${token}/trades?order=random`, 'order'],
      [`${token}/trades?order=oldest&cursor=${newest}`, 'cursor'],
      [`${token}/trades?cursor=${oldest}`, 'cursor'],
      [`${token}/candles?interval=61`, 'interval'],
      [`${token}/candles?to=-1`, 'to'],
      [`${token}/candles?limit=1001`, 'limit'],
      [`${token}/holders?limit=0`, 'limit'],
      ['/wallets/me', 'address'],
      [`/wallets/${addressOf(traded)}/trades?cursor=0`, 'cursor'],
    ];
    for (const [path, field] of wrong) {
      const answer = await scene.api.get(`/v1/market${path}`);
      expect([answer.status, answer.body['code'], fieldsOf(answer)], path).to.deep.equal([
        400,
        'VALIDATION_ERROR',
        [field],
      ]);
    }
  });

  it('shows a migration', async () => {
    const { deployment, feeReceiver } = cluster();
    const { mint } = graduated;
    await cluster().send(migrate({ mint, deployment }), [feeReceiver]);
    await eventually(async () => (await scene.get.token(graduated)).status === 'migrated', 'the migration');
    const { venue, migration } = await scene.get.token(graduated);
    expect(venue).to.equal('unknown');
    expect(migration).to.include({ pool: null, url: null });
  });

  it('lists the holders, and marks the curve and the creator', async () => {
    const { items, total, people, slot } = await scene.get.holders(traded);
    expect([total, people], 'the creator and the trader').to.deep.equal([2, 2]);
    expect(slot).to.be.above(0);
    expect(items.map((holder) => holder.is)).to.deep.equal(['curve', 'creator', null]);
    const { connection } = cluster();
    const held = await tokensOf(connection, associatedTokenAddress(trader.publicKey, traded.mint).address);
    const share = Number((held * 10_000n) / TOKEN_SUPPLY);
    expect(items[2]).to.deep.equal({
      ...{ wallet: trader.publicKey.toBase58(), amount: String(held), shareBps: share, is: null },
    });
    const largest = await scene.get.holders(traded, 'limit=1');
    expect(largest.items).to.deep.equal([items[0]]);
    // The list is cached: the service does not query the node for each request.
    expect(largest.slot).to.equal(slot);
    const token = await launch(cluster(), { name: 'Held' });
    await buyTokens(cluster(), token, cluster().dexOwner, SOL);
    await eventually(
      () =>
        scene.get
          .holders(token)
          .then(({ items: [, holder] }) => holder?.is === 'operator')
          .catch(() => false),
      "the operator's wallet among the holders",
    );
  });

  it('returns the tokens that a wallet has traded and created', async () => {
    const { tokens, created } = await scene.get.wallet(trader.publicKey);
    expect(created).to.deep.equal([]);
    expect(namesOf(tokens)).to.deep.equal(['Paper Boat', '$Morning Coffee']);
    const { items } = await scene.get.trades(traded, `trader=${trader.publicKey.toBase58()}`);
    const [sold, bought] = items;
    const amount = BigInt(bought!.tokenAmount) - BigInt(sold!.tokenAmount);
    const { solOut: value } = quoteSell(
      { ...(await curveState(cluster(), traded)), platformFeeBps: 100 },
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
    expect(namesOf((await scene.get.wallet(creator.publicKey)).created)).to.deep.equal([
      '$Morning Coffee',
      'Quiet Night',
    ]);
    const nobody = Keypair.generate().publicKey;
    expect(await scene.get.wallet(nobody)).to.deep.equal({ tokens: [], created: [] });
  });

  it('says what is missing of the metadata, and when it is fetched again, but quotes nothing of a hidden token', async () => {
    const { queries } = scene.service.context.database;
    const mint = addressOf(traded);
    const retryAt = new Date(1_900_000_000_900);
    const metadata = async () => (await scene.get.token(traded)).metadata;
    const set = (row: Partial<typeof tokenMetadata.$inferInsert>) =>
      queries.update(tokenMetadata).set(row).where(eq(tokenMetadata.mint, mint));
    const postpone = () =>
      queries
        .insert(tasks)
        .values({ kind: 'metadata', subject: mint, attempts: 1, dueAt: retryAt })
        .onConflictDoUpdate({ target: [tasks.kind, tasks.subject], set: { dueAt: retryAt } });
    await eventually(async () => (await metadata()).fetched, 'the attempt of the service itself');
    atEnd(() => queries.delete(hiddenTokens));
    await set({ problem: 'the server answers HTTP 404', pictureProblem: null });
    await postpone();
    const expected = { fetched: true, problem: 'the server answers HTTP 404', retryAt: 1_900_000_000 };
    expect(await metadata()).to.deep.equal(expected);
    await set({ problem: null, pictureProblem: 'has too many pixels' });
    expect(await metadata()).to.deep.equal({ ...expected, problem: 'the picture: has too many pixels' });
    await queries.insert(hiddenTokens).values({ mint, reason: 'test' });
    expect(await metadata()).to.deep.equal({ ...expected, problem: null });
  });

  it('replaces the name of a hidden token, also in a wallet', async () => {
    const { queries } = scene.service.context.database;
    const mint = addressOf(graduated);
    await queries.insert(hiddenTokens).values({ mint, reason: 'test' });
    const { tokens } = await scene.get.wallet(trader.publicKey);
    await queries.delete(hiddenTokens);
    expect(namesOf(tokens)).to.deep.equal(['Hidden token', '$Morning Coffee']);
  });

  it('lists the trades of a wallet across all tokens', async () => {
    const all = await scene.get.walletTrades(trader.publicKey);
    expect(all.items.map(({ mint }) => mint)).to.deep.equal([
      addressOf(graduated),
      addressOf(traded),
      addressOf(traded),
    ]);
    expect(all.items[0]!.graduated).to.equal(true);
    const first = await scene.get.walletTrades(trader.publicKey, 'limit=1');
    const rest = await scene.get.walletTrades(trader.publicKey, `cursor=${first.next}`);
    expect([...first.items, ...rest.items]).to.deep.equal(all.items);
  });

  it('gives the same through the MarketClient of the SDK, which has a wrong request refused with its code and field', async () => {
    const mint = addressOf(traded);
    expect((await client.config()).chain).to.equal('solana:localnet');
    expect(await client.token(mint, { fresh: true })).to.deep.equal(await scene.get.token(traded));
    const query = { sort: 'marketCap', status: 'trading', q: 'coff' } as const;
    expect((await client.tokens(query)).items[0]?.mint).to.equal(mint);
    const all = await client.tokenTrades(mint);
    expect(all).to.deep.equal(await scene.get.trades(traded));
    const first = await client.tokenTrades(mint, { limit: 1, trader: trader.publicKey.toBase58() });
    expect(first.items).to.deep.equal(all.items.slice(0, 1));
    expect((await client.tokenTrades(mint, { cursor: first.next ?? undefined })).items).to.deep.equal(
      all.items.slice(1),
    );
    expect(await client.candles(mint, { interval: 300, limit: 5 })).to.deep.equal(
      await scene.get.candles(traded, 'interval=300&limit=5'),
    );
    expect((await client.holders(mint, { limit: 1 })).items).to.have.length(1);
    const wallet = trader.publicKey.toBase58();
    expect((await client.wallet(wallet)).tokens.map((token) => token.mint)).to.deep.equal([
      addressOf(graduated),
      mint,
    ]);
    expect((await client.walletTrades(wallet)).items.slice(-2)).to.deep.equal([all.items[0], all.items[2]]);
    const unknown = await rejection(client.token(Keypair.generate().publicKey.toBase58()), ApiError);
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'TOKEN_NOT_FOUND']);
    const wrong = await rejection(client.tokens({ limit: 1_000 }), ApiError);
    expect(wrong.fields.map(({ field }) => field)).to.deep.equal(['limit']);
    const signal = AbortSignal.abort(new Error('left the page'));
    expect((await rejection(client.tokens({ signal }), Error)).message).to.equal('left the page');
  });

  it('is read past the cache with `fresh`', async () => {
    const { trades } = await client.token(addressOf(traded));
    await buyTokens(cluster(), traded, trader, SOL / 10n);
    await eventually(async () => (await scene.get.token(traded)).trades === trades + 1, 'the trade');
    expect((await client.token(addressOf(traded), { fresh: true })).trades).to.equal(trades + 1);
  });

  it('neither loses nor repeats a trade across pages while new trades arrive', async () => {
    const before = (await scene.get.trades(traded)).items;
    const seen: string[] = [];
    let trades = before.length;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await scene.get.trades(traded, `limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
      await buyTokens(cluster(), traded, trader, SOL / 10n);
      trades += 1;
      await scene.untilTraded(traded, trades);
    }
    expect(seen).to.deep.equal(before.map(({ id }) => id));
  });

  it('says what the creator has bought and sold, and what was bought in the slot of the launch', async () => {
    const [own, buyer] = [await cluster().fundedWallet(10n * SOL), await cluster().fundedWallet(10n * SOL)];
    const firstBuy = { solToSpend: SOL, minTokenToReceive: 0n };
    const token = await launch(cluster(), { name: 'Sniped', firstBuy }, own);
    const account = associatedTokenAddress(own.publicKey, token.mint).address;
    const first = await tokensOf(cluster().connection, account);
    await buyTokens(cluster(), token, own, SOL);
    await buyTokens(cluster(), token, buyer, SOL);
    const bought = await tokensOf(cluster().connection, account);
    const params = { mint: token.mint, payer: own.publicKey, deployment: cluster().deployment };
    await cluster().send(sell({ ...params, tokenToSpend: bought / 3n, minSolToReceive: 0n }), [own]);
    await scene.untilTraded(token, 4);
    const { creatorBought, creatorSold, launchSlotBought } = await scene.get.token(token);
    expect([creatorBought, creatorSold, launchSlotBought]).to.deep.equal(
      [bought, bought / 3n, first].map(String),
    );
    const { creatorBought: none, launchSlotBought: nobody } = await scene.get.token(quiet);
    expect([none, nobody]).to.deep.equal(['0', '0']);
  });
});
