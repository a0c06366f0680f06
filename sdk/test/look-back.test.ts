import { expect } from 'chai';
import { LookBack } from '../src/feed/node/look-back.js';

const at = (slot: number, name = String(slot)) => ({ signature: name, slot });

describe('the look-back over seen transactions', () => {
  let past: LookBack;
  beforeEach(() => {
    past = new LookBack();
    past.begin(at(100));
  });

  it('keeps the last 32 slots open: an unknown transaction in them is new', () => {
    past.listed(140, Infinity);
    for (const slot of [105, 108, 109, 140]) past.add(at(slot));
    expect([past.newest, past.settled]).to.deep.equal([at(140), at(108)]);
    for (const slot of [105, 108, 109, 140]) expect(past.has(String(slot), slot)).to.equal(true);
    expect([107, 108, 120, 140].map((slot) => past.has('late', slot))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });

  it('settles nothing before a complete listing, nor from the slot of an announced transaction that is missing', () => {
    for (const slot of [103, 105, 107]) past.add(at(slot));
    expect(past.settled).to.deep.equal(at(100));
    past.listed(200, 105);
    expect(past.settled).to.deep.equal(at(103));
  });

  it('settles on the last transaction of a slot, and a late one does not move it back', () => {
    past.listed(1_000, Infinity);
    for (const one of [at(110, 'first'), at(110, 'second'), at(109, 'late')]) past.add(one);
    expect([past.settled, past.newest]).to.deep.equal([at(110, 'second'), at(110, 'second')]);
  });
});
