import { expect } from 'chai';
import { LookBack } from '../src/feed/node/look-back.js';

const at = (slot: number, name = String(slot)) => ({ signature: name, slot });

describe('the look-back over seen transactions', () => {
  it('keeps the last 32 slots open: an unknown transaction in them is new', () => {
    const past = new LookBack();
    past.begin(at(100));
    past.listed(140, Infinity);
    for (const slot of [105, 108, 109, 140]) past.add(at(slot));
    expect(past.newest).to.deep.equal(at(140));
    expect(past.settled).to.deep.equal(at(108));
    for (const slot of [105, 108, 109, 140])
      expect(past.has(String(slot), slot), String(slot)).to.equal(true);
    expect(past.has('late', 107)).to.equal(true);
    for (const slot of [108, 120, 140]) expect(past.has('late', slot), String(slot)).to.equal(false);
  });

  it('settles nothing before a complete listing, however old it is', () => {
    const past = new LookBack();
    past.begin(at(100));
    for (const slot of [110, 300]) past.add(at(slot));
    expect(past.settled).to.deep.equal(at(100));
    past.listed(300, Infinity);
    expect(past.settled).to.deep.equal(at(110));
  });

  it('settles nothing from the slot of an announced transaction that is still missing', () => {
    const past = new LookBack();
    past.begin(at(100));
    for (const slot of [103, 105, 107]) past.add(at(slot));
    past.listed(200, 105);
    expect(past.settled).to.deep.equal(at(103));
  });

  it('settles on the last transaction of a slot, and a late one does not move it back', () => {
    const past = new LookBack();
    past.listed(1_000, Infinity);
    past.add(at(10, 'first'));
    past.add(at(10, 'second'));
    past.add(at(9, 'late'));
    expect(past.settled).to.deep.equal(at(10, 'second'));
    expect(past.newest).to.deep.equal(at(10, 'second'));
  });
});
