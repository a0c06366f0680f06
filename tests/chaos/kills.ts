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

const KILLS = Number(process.env['CHAOS_KILLS'] ?? 60);
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 2 ** 32);
const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? Infinity);
const REPORT = process.env['CHAOS_REPORT'];
const MINUTE_MS = 60_000;
/** Enough for each bug to be found: it is in every claim. */
const KILLS_FOR_A_BUG = 3;

describe(`a service that is killed ${KILLS} times (${DATABASE_KIND}, seed ${SEED})`, function () {
  this.timeout(0);
  const cluster = useCluster();

  async function playIn(seed: number, plan: Plan): Promise<Played> {
    const world = await createWorld(cluster(), DATABASE_KIND, seed);
    try {
      return await play(world, plan);
    } finally {
      await world.remove();
    }
  }

  it('pays nothing twice, loses nothing, and goes on after each kill', async () => {
    const progress = REPORT === undefined ? undefined : (line: string) => process.stderr.write(`\r${line} `);
    const played = await playIn(SEED, { kills: KILLS, untilMs: MINUTES * MINUTE_MS, progress });
    if (REPORT !== undefined) writeFileSync(REPORT, JSON.stringify({ seed: SEED, ...played }));
    else expect(played.kills).to.equal(KILLS);
    expect(played.claims['COMPLETED'], 'claims paid').to.be.greaterThan(0);
  });

  if (REPORT === undefined) {
    for (const { what, found, plant } of BUGS) {
      it(`finds a service that ${what}`, async () => {
        const { message } = await rejection(playIn(SEED, { kills: KILLS_FOR_A_BUG, sabotage: plant }), Error);
        expect(message).to.match(found);
      });
    }
  }
});
