// The board of the Market API on a real cluster: how it is sorted, paged and searched.
import { expect } from 'chai';
import { DATABASE_KIND } from '#tests/database/database.js';
import { addressOf, namesOf, useMarketTokens } from '#tests/service/market-tokens.js';

describe(`the Market API (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { scene, creator, graduated } = useMarketTokens();

  it('sorts the board, page by page', async () => {
    for (const sort of ['new', 'marketCap', 'volume24h', 'progress', 'lastTrade']) {
      const { items, next } = await scene().get.tokens(`sort=${sort}`);
      expect(next).to.equal(null);
      // Two trades of the same second can come in either order.
      if (sort === 'lastTrade') expect(items[2]!.name).to.equal('Quiet Night');
      else expect(namesOf(items), sort).to.deep.equal(['Paper Boat', '$Morning Coffee', 'Quiet Night']);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await scene().get.tokens(`sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...namesOf(page.items));
        cursor = page.next;
      }
      expect(seen, `${sort}, one by one`).to.deep.equal(namesOf(items));
    }
  });

  it('finds tokens by status, creator, name, symbol and mint', async () => {
    const found = async (query: string) =>
      namesOf((await scene().get.tokens(`sort=marketCap&${query}`)).items);
    expect(await found('status=graduated')).to.deep.equal(['Paper Boat']);
    expect(await found('status=trading')).to.deep.equal(['$Morning Coffee', 'Quiet Night']);
    expect(await found('status=migrated')).to.deep.equal([]);
    expect(await found(`creator=${creator().publicKey.toBase58()}`)).to.deep.equal([
      '$Morning Coffee',
      'Quiet Night',
    ]);
    expect(await found(`q=${creator().publicKey.toBase58()}`)).to.deep.equal([
      '$Morning Coffee',
      'Quiet Night',
    ]);
    expect(await found('q=coff')).to.deep.equal(['$Morning Coffee']);
    expect(await found('q=MORNING%20c')).to.deep.equal(['$Morning Coffee']);
    expect(await found('q=quiet')).to.deep.equal(['Quiet Night']);
    expect(await found(`q=${addressOf(graduated()).slice(0, 8)}`)).to.deep.equal(['Paper Boat']);
    expect(await found('q=ning')).to.deep.equal([]);
    expect(await found('q=%27;--&status=trading')).to.deep.equal([]);
  });
});
