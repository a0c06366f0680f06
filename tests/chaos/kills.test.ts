// The service is killed again and again, in the middle of its work and while databases, disks and nodes fail.
// `npm run chaos` runs this file with more kills.
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { BUGS } from '#tests/chaos/bugs.js';
import { play, type Plan, type Played } from '#tests/chaos/play.js';
import { createWorld } from '#tests/chaos/world.js';

const KILLS = Number(process.env['CHAOS_KILLS'] ?? 30);
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 2 ** 32);
const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? Infinity);
const REPORT = process.env['CHAOS_REPORT'];
const MINUTE_MS = 60_000;
/** Enough for each bug to be found: it is in every claim. */
const KILLS_FOR_A_BUG = 3;

/** Plays on a cluster of its own: a new database does not know what the service of another one has paid. */
function usePlay(): (plan: Plan) => Promise<Played> {
  const cluster = useCluster();
  return async (plan) => {
    const world = await createWorld(cluster(), DATABASE_KIND, SEED);
    try {
      return await play(world, plan);
    } finally {
      await world.remove();
    }
  };
}

describe(`a service that is killed ${KILLS} times (${DATABASE_KIND}, seed ${SEED})`, function () {
  this.timeout(0);
  const played = usePlay();

  it('pays nothing twice, loses nothing, and goes on after each kill', async () => {
    const progress = REPORT === undefined ? undefined : (line: string) => process.stderr.write(`\r${line} `);
    const { kills, claims, ...rest } = await played({ kills: KILLS, untilMs: MINUTES * MINUTE_MS, progress });
    if (REPORT !== undefined) writeFileSync(REPORT, JSON.stringify({ seed: SEED, kills, claims, ...rest }));
    else expect(kills).to.equal(KILLS);
    expect(claims['COMPLETED'], 'claims paid').to.be.greaterThan(0);
  });
});

for (const { what, found, plant } of REPORT === undefined ? BUGS : []) {
  describe(`a service that ${what}`, function () {
    this.timeout(0);
    const played = usePlay();

    it('is found', async () => {
      const { message } = await rejection(played({ kills: KILLS_FOR_A_BUG, sabotage: plant }), Error);
      expect(message).to.match(found);
    });
  });
}
