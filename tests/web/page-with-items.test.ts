// A search among very many tokens can have pages without items before those with some.
import { expect } from 'chai';
import { pageWithItems } from '../../web/src/market/page-with-items.js';

describe('pages of the web page', () => {
  const pages: Readonly<Record<string, { readonly items: readonly number[]; readonly next: string | null }>> =
    {
      first: { items: [], next: 'second' },
      second: { items: [], next: 'third' },
      third: { items: [1, 2], next: 'last' },
      last: { items: [], next: null },
    };

  it('are loaded until one has items, or is the last', async () => {
    const asked: (string | undefined)[] = [];
    const load = (cursor: string | undefined) => {
      asked.push(cursor);
      return Promise.resolve(pages[cursor ?? 'first']!);
    };
    expect(await pageWithItems(load)).to.equal(pages['third']);
    expect(asked).to.deep.equal([undefined, 'second', 'third']);
    expect(await pageWithItems(load, 'last')).to.equal(pages['last']);
    expect(asked.slice(3)).to.deep.equal(['last']);
  });
});
