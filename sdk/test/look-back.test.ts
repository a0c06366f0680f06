import { expect } from 'chai';
import { LookBack } from '../src/subscription/look-back.js';

const at = (slot: number, name = String(slot)) => ({ signature: name, slot });

describe('looking back', () => {
  it('leaves the last 32 slots open: one of them that is not known has not been dealt with', () => {
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

  it('settles nothing that only shorter lists have shown, however far behind it is', () => {
    const past = new LookBack();
    past.begin(at(100));
    for (const slot of [110, 300]) past.add(at(slot));
    expect(past.settled).to.deep.equal(at(100));
    past.listed(300, Infinity);
    expect(past.settled).to.deep.equal(at(110));
  });

  it('settles nothing from where something announced is missing', () => {
    const past = new LookBack();
    past.begin(at(100));
    for (const slot of [103, 105, 107]) past.add(at(slot));
    past.listed(200, 105);
    expect(past.settled).to.deep.equal(at(103));
  });

  it('settles on the last of a slot, and a late one does not take it back', () => {
    const past = new LookBack();
    past.listed(1_000, Infinity);
    past.add(at(10, 'first'));
    past.add(at(10, 'second'));
    past.add(at(9, 'late'));
    expect(past.settled).to.deep.equal(at(10, 'second'));
    expect(past.newest).to.deep.equal(at(10, 'second'));
  });
});
