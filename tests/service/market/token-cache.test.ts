// Token data in answers is at most one second old, and is read once for all requests of that second.
import { expect } from 'chai';
import type { TokenRow } from '#app/claims/rewards/reward-queries.js';
import { TokenCache } from '#app/claims/rewards/rewards-repository.js';

function tokenNamed(mint: string, name: string | null): TokenRow {
  return { mint, name, symbol: null, image: null, virtualSol: null, virtualToken: null };
}

describe('TokenCache', () => {
  let now = 0;
  let reads: string[][] = [];
  let nameOf: (mint: string) => string | null = () => 'name';
  const start = () => {
    [now, reads] = [0, []];
    return new TokenCache(
      {
        tokens: (mints) => {
          reads.push([...mints]);
          return Promise.resolve(mints.map((mint) => tokenNamed(mint, nameOf(mint))));
        },
      },
      () => now,
    );
  };

  it('reads a token once per second, and only the missing ones', async () => {
    const cache = start();
    nameOf = () => 'first';
    await cache.read(['a', 'b']);
    nameOf = () => 'second';
    now = 999;
    const tokens = await cache.read(['a', 'b', 'c']);
    expect([...tokens.values()].map(({ mint, name }) => [mint, name])).to.deep.equal([
      ['a', 'first'],
      ['b', 'first'],
      ['c', 'second'],
    ]);
    now = 1_000;
    expect((await cache.read(['a'])).get('a')?.name).to.equal('second');
    expect(reads).to.deep.equal([['a', 'b'], ['c'], ['a']]);
  });

  it('reads a token again at once if it was not indexed', async () => {
    const cache = start();
    nameOf = () => null;
    await cache.read(['a']);
    nameOf = () => 'indexed';
    expect((await cache.read(['a'])).get('a')?.name).to.equal('indexed');
  });

  it('evicts the oldest token when it is full', async () => {
    const cache = start();
    nameOf = () => 'name';
    const many = Array.from({ length: 10_000 }, (_, index) => String(index));
    await cache.read(many);
    await cache.read(['another']);
    reads = [];
    await cache.read(['0', '1', 'another']);
    expect(reads).to.deep.equal([['0']]);
  });
});
