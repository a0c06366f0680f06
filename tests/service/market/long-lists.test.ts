// Lists of very many tokens and trades of which few are asked for: a page reads so much and no more, and the next one goes on there.
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { statement } from '#app/db/database.js';
import { column } from '#app/db/statements.js';
import { decodeTokenCursor, decodeTradeCursor } from '#app/market/reads/cursor.js';
import { newestReceipt } from '#app/market/reads/receipt.js';
import { tokenPage, type Sort, type TokensQuery } from '#app/market/reads/tokens.js';
import { tradePage, type TradesQuery } from '#app/market/reads/trades.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';

/** What a page reads in order, and the most that it sorts. */
const [MOST_READ, MOST_SORTED] = [50_000, 5_000];
const OLD = MOST_SORTED + 500;
const ALL = OLD + MOST_READ + 100;
/** As many of the newest tokens have a name of their own. */
const FEW = 30;
const LIMIT = 500;

describe(`lists of very many tokens and trades (${DATABASE_KIND})`, () => {
  const database = useDatabase();
  const mints = Array.from({ length: ALL }, (_, index) =>
    bs58.encode(createHash('sha256').update(String(index)).digest()),
  );

  before('insert tokens, the old ones first, and trades, the sales first', async () => {
    const listed = sql`unnest(${column(mints, 'text')}) with ordinality as listed(mint, n)`;
    const term = sql`case when n <= ${OLD} then 'old' when n > ${ALL - FEW} then 'few' else 'other' end`;
    await database.on('jobs').transaction(async (tx) => {
      await statement(tx)`insert into other_records (id, signature, "outer", "inner", slot, kind, mint)
        select n, 'creation ' || n, 0, 0, n, 'create', mint from ${listed}`;
      await statement(tx)`
        insert into tokens (mint, record_id, creator, curve, name, symbol, uri, after_migration_fee_bps, burn_bps, holders_bps,
          lp_bps, initial_virtual_sol, initial_virtual_token, platform_fee_bps, created_at)
        select mint, n, 'creator', 'curve', ${term}, 'T', '', 1, 1, 1, 1, 1, 1, 1, 1 from ${listed}`;
      await tx.execute(sql`insert into token_terms (term, mint) select ${term}, mint from ${listed}`);
      await statement(tx)`
        insert into market_tokens (mint, status, initial_virtual_token, virtual_sol, virtual_token, market_cap, progress_bps,
          day_volume, day_open, trades, last_trade_at, created_id, last_id)
        select mint, 1 + n % 2, 1, 1, 1, n / 10, 0, 0, 1, 0, 0, n, n from ${listed}`;
      await statement(tx)`insert into addresses (id, address) values (1, 'mint'), (2, 'trader'), (3, 'rare')`;
      await statement(tx)`
        insert into trade_rows (id, slot, timestamp, mint_id, trader_id, "outer", "inner", is_buy, graduated, in_pool, signature,
          sol_amount, token_amount, fee, virtual_sol, virtual_token)
        select n, 1, 1, case n when 0 then 3 else 1 end, 2, 0, 0, n > 3 or n = 0, false, false, 'trade ' || n, 1, 1, 1, 1, 1
        from generate_series(0, ${MOST_READ + 100}::integer) n`;
    });
    await database.queries.execute(sql`analyze`);
  });

  async function tokenPages(query: Omit<TokensQuery, 'limit' | 'after'>): Promise<string[][]> {
    const pages: string[][] = [];
    for (let after: TokensQuery['after'], next: string | null = ''; next !== null;) {
      const page = await tokenPage(database.queries, { ...query, limit: LIMIT, after });
      pages.push(page.items.map(({ mint }) => mint));
      next = page.next;
      after = next === null ? undefined : decodeTokenCursor(next)!;
    }
    return pages;
  }
  async function tradePages(
    query: Omit<TradesQuery, 'limit' | 'order' | 'after'>,
    limit: number,
    order: TradesQuery['order'] = 'newest',
  ): Promise<string[][]> {
    const pages: string[][] = [];
    for (let after: TradesQuery['after'], next: string | null = ''; next !== null;) {
      const page = await tradePage(database.queries, { ...query, order, limit, after });
      pages.push(page.items.map(({ id }) => id));
      next = page.next;
      after = next === null ? undefined : decodeTradeCursor(next)!;
    }
    return pages;
  }
  /** In the order of a list, of the tokens with these numbers, from 0. */
  const inOrder = (sort: Sort, isWanted: (index: number) => boolean): string[] => {
    const capOf = (index: number) => Math.floor((index + 1) / 10);
    const key = sort === 'new' ? (index: number) => index : capOf;
    return mints
      .map((mint, index) => ({ mint, index }))
      .filter(({ index }) => isWanted(index))
      .sort((a, b) => key(b.index) - key(a.index) || (a.mint < b.mint ? 1 : -1))
      .map(({ mint }) => mint);
  };

  for (const sort of ['new', 'marketCap'] as const) {
    it(`find tokens that are all old, sorted by ${sort}, after a page without any`, async () => {
      const pages = await tokenPages({ sort, q: 'old' });
      expect(pages[0]).to.deep.equal([]);
      expect(pages.flat()).to.deep.equal(inOrder(sort, (index) => index < OLD));
      // One page without any, and none of the others ends early but the last.
      expect(pages.slice(1, -1).map(({ length }) => length)).to.deep.equal(
        Array(OLD / LIMIT - 1).fill(LIMIT),
      );
    });

    it(`find tokens of one status, sorted by ${sort}, whose page others fill too`, async () => {
      const pages = await tokenPages({ sort, q: 'old', status: 'graduated' });
      expect(pages.flat()).to.deep.equal(inOrder(sort, (index) => index < OLD && index % 2 === 0));
    });

    it(`find at once what few tokens or most tokens have, sorted by ${sort}`, async () => {
      const few = await tokenPages({ sort, q: 'few' });
      expect(few).to.deep.equal([inOrder(sort, (index) => index >= ALL - FEW)]);
      const page = await tokenPage(database.queries, { sort, q: 'other', limit: 20 });
      expect(page.items.map(({ mint }) => mint)).to.deep.equal(
        inOrder(sort, (index) => index >= OLD && index < ALL - FEW).slice(0, 20),
      );
      expect(page.next).to.be.a('string');
    });
  }

  it('find the sales of a token or a trader after a page without any', async () => {
    for (const query of [{ mint: 'mint' }, { trader: 'trader' }, { mint: 'mint', trader: 'trader' }]) {
      expect(await tradePages({ ...query, side: 'sell' }, 10)).to.deep.equal([[], ['3', '2', '1']]);
      const oldest = await tradePages({ ...query, side: 'sell' }, 2, 'oldest');
      expect(oldest).to.deep.equal([['1', '2'], ['3'], []]);
    }
  });

  it('find the trades of a trader with a token after a page without any, because the trader has many others', async () => {
    expect(await tradePages({ mint: 'rare', trader: 'trader' }, 10)).to.deep.equal([[], ['0']]);
  });

  it('count all trades of a slot for a receipt', async () => {
    const at = MOST_READ;
    const [item, ...others] = (await newestReceipt(database, `trade ${at}`))!.items;
    expect(others).to.deep.equal([]);
    expect(item).to.deep.include({ place: at, of: MOST_READ + 100 });
    expect(item!.beside.map(({ id }) => id)).to.deep.equal([String(at - 1), String(at + 1)]);
  });

  it('list trades of both sides, or of the usual one, page by page', async () => {
    const all = Array.from({ length: MOST_READ + 100 }, (_, index) => String(MOST_READ + 100 - index));
    const pages = await tradePages({ mint: 'mint' }, 10_000);
    expect(pages.flat()).to.deep.equal(all);
    expect(pages.map(({ length }) => length)).to.deep.equal([10_000, 10_000, 10_000, 10_000, 10_000, 100]);
    const bought = await tradePages({ mint: 'mint', side: 'buy' }, 10_000);
    expect(bought.flat()).to.deep.equal(all.slice(0, -3));
    const oldest = await tradePages({ mint: 'mint' }, 10_000, 'oldest');
    expect(oldest.flat()).to.deep.equal(all.toReversed());
  });
});
