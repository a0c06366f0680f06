// The service is killed again and again, in the middle of its work and while databases, disks and nodes fail.
// `npm run chaos` kills more often: CHAOS_KILLS times, at most CHAOS_MINUTES, with CHAOS_SEED.
import { expect } from 'chai';
import { clusterFromEnvironment } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { ACTIVITIES } from '#tests/chaos/activities.js';
import { play, sumOf, type Plan, type Played } from '#tests/chaos/play.js';
import { createWorld } from '#tests/chaos/world.js';
import { sql } from 'drizzle-orm';
import { statement, type Database } from '#app/db/database.js';
import { functionFiles } from '#app/db/sql-version.js';
import { basename } from 'node:path';
import { readFileSync } from 'node:fs';

// Bugs that a chaos run must find: functions of the database that are replaced by careless ones.

interface Bug {
  readonly what: string;
  /** The activity in which it shows. */
  readonly during: string;
  /** What the run must say. */
  readonly found: RegExp;
  readonly plant: (database: Database) => Promise<void>;
}

const BUGS: readonly Bug[] = [
  {
    what: 'returns a claim that it has not booked',
    during: 'claims',
    found: /was returned to its wallet and is not stored/,
    plant: changing('claim_store', '\nBEGIN\n', '\nBEGIN\n  RETURN;\n'),
  },
  {
    what: 'pays a claim without taking its amount from the wallet',
    during: 'claims',
    found: /: 0 reserved, \d+ in claims/,
    plant: changing('ledger_reserve', "IF ledger_post(ARRAY[p_key], entries) = '{}' THEN", 'IF false THEN'),
  },
  {
    what: 'ends a settlement whose holders it has not credited',
    during: 'settlement',
    found: /settlements credit [1-9]\d* to wallets, whose accounts have 0/,
    plant: changing('settlement_credit', 'IF credits IS NOT NULL THEN', 'IF false THEN'),
  },
  {
    what: 'indexes a trade with another amount',
    during: 'indexing',
    found: /to have property 'solAmount' of /,
    plant: async ({ queries }) => {
      await statement(queries)`create function add_a_lamport() returns trigger language plpgsql as
        'begin new.sol_amount := new.sol_amount + 1; return new; end'`;
      await statement(queries)`
        create trigger careless before insert on trade_rows for each row execute function add_a_lamport()`;
    },
  },
];

/** Replaces a piece of a function. */
function changing(name: string, piece: string, by: string) {
  return async ({ queries }: Database): Promise<void> => {
    const path = functionFiles().find((file) => basename(file, '.sql') === name)!;
    const text = readFileSync(path, 'utf8');
    if (!text.includes(piece)) throw new Error(`${name} has no '${piece}' to change`);
    await queries.execute(sql.raw(text.replace(piece, by)));
  };
}

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

for (const { what, during, found, plant } of BUGS)
  describe(`a service that ${what}`, function () {
    this.timeout(0);

    it('is found', async () => {
      const activities = ACTIVITIES.filter(({ name }) => name === during);
      const plan: Plan = { kills: KILLS_FOR_A_BUG, activities, sabotage: plant };
      const { message } = await rejection(playAlone(plan), Error);
      expect(message).to.match(found);
    });
  });
