// The service is killed again and again, in the middle of its work and while databases, disks and nodes fail.
// `npm run chaos` kills more often: CHAOS_KILLS times, at most CHAOS_MINUTES, with CHAOS_SEED.
import { expect } from 'chai';
import { clusterFromEnvironment } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { ACTIVITIES } from '#tests/chaos/activities.js';
import { BUGS } from '#tests/chaos/bugs.js';
import { play, sumOf, type Plan, type Played } from '#tests/chaos/play.js';
import { createWorld } from '#tests/chaos/world.js';

const KILLS = Number(process.env['CHAOS_KILLS'] ?? 30);
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 2 ** 32);
const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? Infinity);
const MINUTE_MS = 60_000;
/** Enough for each bug to be found: it is in every claim, settlement or trade. */
const KILLS_FOR_A_BUG = 3;

/** Surfpool becomes slower as its history grows, so many kills have several worlds. */
const KILLS_IN_A_WORLD = 200;

/** Plays on a cluster of its own: a new database does not know what the service of another one has paid. */
async function playAlone(plan: Plan, seed = SEED): Promise<Played> {
  const cluster = await clusterFromEnvironment();
  try {
    const world = await createWorld(cluster, DATABASE_KIND, seed);
    try {
      return await play(world, plan);
    } finally {
      await world.remove();
    }
  } finally {
    await cluster.stop();
  }
}

/** In worlds with the seeds SEED, SEED + 1 and so on. */
async function playAll(): Promise<Played> {
  const began = performance.now();
  const all: Played[] = [];
  let kills = 0;
  while (kills < KILLS && performance.now() - began < MINUTES * MINUTE_MS) {
    const before = kills;
    const progress = (killed: number): boolean =>
      process.stderr.write(
        `\r${before + killed} of ${KILLS} kills, ${Math.round((performance.now() - began) / 1_000)} s `,
      );
    const played = await playAlone(
      {
        kills: Math.min(KILLS - kills, KILLS_IN_A_WORLD),
        untilMs: MINUTES * MINUTE_MS - (performance.now() - began),
        progress: process.stderr.isTTY ? progress : undefined,
      },
      (SEED + all.length) % 2 ** 32,
    );
    expect(played.claims['COMPLETED'], 'claims paid').to.be.greaterThan(0);
    kills += played.kills;
    all.push(played);
  }
  return sumOf(all);
}

describe(`a service that is killed ${KILLS} times (${DATABASE_KIND}, seed ${SEED})`, function () {
  this.timeout(0);

  it('pays nothing twice, loses nothing, and goes on after each kill', async () => {
    const played = await playAll();
    console.log(JSON.stringify(played));
    if (MINUTES === Infinity) expect(played.kills).to.equal(KILLS);
  });
});

for (const { what, during, found, plant } of BUGS) {
  describe(`a service that ${what}`, function () {
    this.timeout(0);

    it('is found', async () => {
      const activities = ACTIVITIES.filter(({ name }) => name === during);
      const plan: Plan = { kills: KILLS_FOR_A_BUG, activities, sabotage: plant };
      const { message } = await rejection(playAlone(plan), Error);
      expect(message).to.match(found);
    });
  });
}
