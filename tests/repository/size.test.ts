// The budget of hand-written lines: the repository must stay small enough for one person to own.
import { expect } from 'chai';
import { lowered, overBudget, readBudget, sums } from '../../scripts/size/budget.js';
import { countLines, kindOf, roomOf } from '../../scripts/size/count.js';

describe('the size of the repository', () => {
  it('is within scripts/size/budget.json, in each kind and each room', () => {
    expect(overBudget(sums(countLines()), readBudget())).to.deep.equal([]);
  });

  it('is in at most fifteen folders', () => {
    const rooms = Object.keys(countLines()).map((room) => room.split('/')[0]!);
    const folders = new Set(rooms.filter((folder) => !folder.startsWith('.')));
    expect([...folders], 'move a folder into the one that it belongs to').to.have.length.at.most(15);
  });

  it('is counted by kind and room', () => {
    const of = (path: string) => [kindOf(path), roomOf(path)];
    expect(of('app/src/claims/sql/claim_end.sql')).to.deep.equal(['product', 'app/src/claims']);
    expect(of('app/src/service.ts')).to.deep.equal(['product', 'app/src']);
    expect(of('tests/service/claims/pay.test.ts')).to.deep.equal(['tests', 'tests/service/claims']);
    expect(of('scripts/size/main.ts')).to.deep.equal(['tools', 'scripts/size']);
    expect(of('sdk/README.md')).to.deep.equal(['prose', 'sdk']);
  });

  const budget = { kinds: { product: 10 }, rooms: { a: 10, gone: 5 }, granted: { 'an issue': { a: 2 } } };

  it('fails above the budget, with what an issue has granted, and for a room without one', () => {
    expect(overBudget({ kinds: { product: 10 }, rooms: { a: 12 } }, budget)).to.deep.equal([]);
    expect(overBudget({ kinds: { product: 11 }, rooms: { a: 13, b: 1 } }, budget)).to.have.length(3);
  });

  it('is lowered and never raised', () => {
    expect(lowered(budget, { kinds: { product: 9 }, rooms: { a: 20 } })).to.deep.equal({
      kinds: { product: 9 },
      rooms: { a: 10 },
      granted: budget.granted,
    });
  });
});
