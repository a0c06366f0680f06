// What the route of a token's settlements accepts.
import { expect } from 'chai';
import { settlementsQuery } from '#app/graduation/settlement/schemas.js';

describe('the query of settlements', () => {
  const read = (query: Readonly<Record<string, string>>) => {
    const { data, error } = settlementsQuery.safeParse(query);
    return data ?? error.issues.map(({ path, message }) => [path.join('.'), message]);
  };

  it('has a page of 20 from the newest, unless it says otherwise', () => {
    expect(read({})).to.deep.equal({ limit: 20 });
    expect(read({ limit: '1', before: '1' })).to.deep.equal({ limit: 1, before: 1 });
    expect(read({ limit: '100', before: '999999999999999' })).to.deep.equal({
      ...{ limit: 100, before: 999_999_999_999_999 },
    });
  });

  for (const limit of ['0', '101', '-1', '1.5', '', ' 5', '5 ', 'x5', '5x', '1e1', '0000000000000005'])
    it(`refuses a limit of "${limit}"`, () => {
      const problem = 'limit must be a whole number from 1 to 100';
      expect(read({ limit })).to.deep.equal([['limit', problem]]);
    });

  for (const before of ['0', '-1', '1.5', '', 'x', '1000000000000000'])
    it(`refuses a settlement before "${before}"`, () => {
      const problem = 'before must be a whole number from 1 to 999999999999999';
      expect(read({ before })).to.deep.equal([['before', problem]]);
    });

  it('refuses anything else', () => {
    expect(read({ offset: '1' })).to.have.lengthOf(1);
  });
});
