// Split brain: of several copies of a database, at most one signs claims. None is signed while one of another database, of which it does not know, can
// still land. Random schedules of blocks, slow nodes, restarts, copies, old primaries that come back, and operators that choose. threat: split-brain
import { expect } from 'chai';
import { decide, LEASE_BLOCKS } from '#app/reconciliation/split-brain/decide.js';
import { World, type Decide } from '#tests/payer/world.js';
import { randomStream } from '../../../scripts/random.js';

const WORLDS = 3_000;
const STEPS = 400;

function run(worlds: number, how?: Decide) {
  const counts = { claims: 0, takeOvers: 0, lost: 0 };
  for (let seed = 1; seed <= worlds; seed += 1) {
    const world = new World(randomStream(seed, 0), how);
    for (let step = 0; step < STEPS; step += 1) world.step();
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += world.counts[name];
  }
  return counts;
}

describe('split brain, as a model', () => {
  it(`no database signs a claim while an unknown one of another can land: ${WORLDS} worlds of ${STEPS} steps`, () => {
    const { claims, takeOvers, lost } = run(WORLDS);
    expect(claims).to.be.greaterThan(WORLDS);
    expect(takeOvers).to.be.greaterThan(WORLDS);
    expect(lost).to.be.greaterThan(WORLDS);
  });

  const WRONG: Readonly<Record<string, Decide>> = {
    'does not wait after it has taken over': (known, seen) => {
      const decision = decide(known, seen);
      return decision.kind === 'own'
        ? { ...decision, opensAt: Math.min(decision.opensAt, seen.height) }
        : decision;
    },
    'waits for half of a lease': (known, seen) => {
      const decision = decide(known, seen);
      const isNew = decision.kind === 'own' && known.opensAt === null && decision.opensAt > seen.height;
      return isNew ? { ...decision, opensAt: decision.opensAt - LEASE_BLOCKS / 2 } : decision;
    },
    'goes on when another one has taken over': (known, seen) => {
      const decision = decide(known, seen);
      return decision.kind === 'lost' && known.opensAt !== null
        ? { kind: 'own', opensAt: known.opensAt }
        : decision;
    },
    'takes itself for the first after a restart': (known, seen) => {
      const decision = decide(known, seen);
      return decision.kind === 'own' && known.opensAt === null ? { ...decision, opensAt: 0 } : decision;
    },
  };
  for (const [bug, how] of Object.entries(WRONG)) {
    it(`a rule that ${bug} is found out`, () => {
      expect(() => run(WORLDS, how)).to.throw(/signs at height/);
    });
  }
});
