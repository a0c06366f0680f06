// Requests per second of the service, compared with a bare Express application with the same middlewares, and with the
// signatures that one thread can verify. The rounds alternate, so that other load on the machine affects all equally.
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';
import { grouped } from '#app/cli/table.js';
import type { Child } from '../driver/child.js';
import type { LoadOrder, Round, RoundResult, SignedHeaders } from './load.js';
import { STEPS } from './parts.js';
import type { ServerState } from './server.js';
import {
  LEAST_OF_BARE,
  LEAST_OF_VERIFYING,
  MOST_P99_MS,
  percent,
  figures,
  problemsOf,
  type Measured,
  type PartCost,
  type Result,
} from './report.js';
import { fillRewards, walletsOf } from './reward-rows.js';
import { flag, whole, type Chosen } from '../driver/options.js';
import { say, scenario } from '../driver/scenario.js';
import { partnerKey, type Server, type Stage } from '../driver/stage.js';
import { spreadOf } from '../driver/statistics.js';

const REWARD_ROWS = 1_000_000;
const ASKERS = 20_000;
const CONNECTIONS = 50;
/** Answers that are compared with the tables before the measurement. */
const CHECKED_ANSWERS = 100;
const VERIFY_SECONDS = 1;
/** V8 compiles what is used most over the first 40,000 requests. */
const WARM_UP_SECONDS = 12;
/** Rounds for each step of `--parts`, after one warm-up round. */
const PART_ROUNDS = 5;
const PART_SECONDS = 2;
/** Prepared requests per round, as a multiple of the signatures that a thread verifies: more than can be answered. */
const SPARE_REQUESTS = 1.6;
const ROUNDS = 7;
const SECONDS = 4;

/** Consecutive measurements. */
interface Taken {
  readonly bare: Measured;
  readonly version: Measured;
  readonly rewards: Measured;
  /** Signatures that one thread verifies per second. */
  readonly verified: number;
}

const OPTIONS = {
  rounds: whole(ROUNDS, `rounds of each (${ROUNDS})`),
  seconds: whole(SECONDS, `seconds of a round (${SECONDS})`),
  rows: whole(REWARD_ROWS, `rewards in the ledger (${grouped(REWARD_ROWS)})`),
  parts: flag(
    'also the CPU time of each part that handles a request, from servers that each have one part more',
  ),
};
type Numbers = Chosen<typeof OPTIONS>;

interface Context {
  readonly database: Database;
  readonly load: Child;
  readonly rewards: Result['rewards'];
  readonly apiKey: string;
  /** Starts a measured server. */
  readonly start: (what: string) => Promise<Server>;
}

scenario('http', {
  about: `Measures the service on PostgreSQL with ${CONNECTIONS} connections from another process, in alternating rounds:
GET /v1/internal compared with a bare Express application (with the same logger, metrics, helmet and limiter, and the same
prebuilt classes of requests), and GET /rewards/:address, each request with its own signature, compared with the ed25519
signatures that one thread verifies when it does nothing else and the keys are already parsed. Limits apply to the medians.`,
  options: OPTIONS,
  fails: `/v1/internal has less than ${percent(LEAST_OF_BARE)} of the bare application's rate, /rewards less than\n${percent(LEAST_OF_VERIFYING)} of the verifying rate, or a p99 over ${MOST_P99_MS} ms`,
  setup,
  load: measure,
  figures,
  problems: problemsOf,
});

async function setup(stage: Stage, { rows }: Numbers): Promise<Context> {
  const load = await stage.child('http/load.ts');
  say('starting PostgreSQL');
  const { database, url } = await stage.database(await stage.postgres());
  const askers = await ask<string[]>(load, { kind: 'wallets', count: Math.min(ASKERS, walletsOf(rows)) });
  say(`filling the ledger with ${grouped(rows)} rewards`);
  const rewards = await fillRewards(database, { rows, askers });
  const apiKey = await partnerKey(database);
  return { database, load, rewards, apiKey, start: (what) => stage.server({ DATABASE_URL: url }, what) };
}

async function measure(
  { database, load, rewards, apiKey, start }: Context,
  { rounds, seconds, parts: wantsParts }: Numbers,
): Promise<Result> {
  const [bare, service] = [await start('bare'), await start('service')];
  const runRound = async (server: typeof bare, target: Round['target'], roundSeconds = seconds) => {
    const before = await server.child.ask<ServerState>('state');
    const round = { port: server.port, connections: CONNECTIONS, seconds: roundSeconds, target };
    const answered = await ask<RoundResult>(load, { kind: 'round', round });
    const after = await server.child.ask<ServerState>('state');
    const requests = answered.perSecond * roundSeconds;
    return { ...answered, cpuMicroseconds: ((after.cpuSeconds - before.cpuSeconds) / requests) * 1e6 };
  };
  const verifyRate = () => ask<number>(load, { kind: 'verify', seconds: VERIFY_SECONDS });
  const version = { name: 'version', apiKey } as const;
  const rewardsOf = (verified: number) =>
    ({ name: 'rewards', mostPerSecond: verified * SPARE_REQUESTS }) as const;

  /** The cost of each step of `--parts`. The rounds alternate here too. */
  const costs = async (): Promise<PartCost[]> => {
    say(`starting a server for each of ${STEPS.length} parts`);
    const steps: (typeof bare)[] = [];
    for (const index of STEPS.keys()) steps.push(await start(String(index)));
    const taken = STEPS.map((): number[] => []);
    for (let round = 0; round <= PART_ROUNDS; round += 1) {
      say(round === 0 ? 'warming up' : `parts: round ${round} of ${PART_ROUNDS}`);
      for (const [index, { target }] of STEPS.entries()) {
        const asked = target === 'version' ? version : rewardsOf(await verifyRate());
        const { cpuMicroseconds } = await runRound(steps[index]!, asked, PART_SECONDS);
        if (round > 0) taken[index]!.push(cpuMicroseconds);
      }
    }
    const withIt = taken.map((of) => spreadOf(of).median);
    return STEPS.map(({ adds: part, after }, index) => {
      const before = withIt[after ?? index - 1] ?? 0;
      return { part, withIt: withIt[index]!, cpuMicroseconds: withIt[index]! - before };
    });
  };

  say('warming up');
  await requireExactAnswers(database, load, service.port);
  await runRound(bare, version, WARM_UP_SECONDS);
  await runRound(service, version, WARM_UP_SECONDS);
  await runRound(service, rewardsOf(await verifyRate()), WARM_UP_SECONDS);

  const taken: Taken[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    const [ofBare, ofService] = await inTurn(round, [
      () => runRound(bare, version),
      () => runRound(service, version),
    ]);
    const before = await verifyRate();
    const ofRewards = await runRound(service, rewardsOf(before));
    const verified = (before + (await verifyRate())) / 2;
    taken.push({ bare: ofBare, version: ofService, rewards: ofRewards, verified });
    say(
      `  /v1/internal ${ofService.perSecond.toFixed(0)}/s, bare ${ofBare.perSecond.toFixed(0)}/s; ` +
        `/rewards ${ofRewards.perSecond.toFixed(0)}/s, verifying ${verified.toFixed(0)}/s`,
    );
  }
  bare.child.stop();
  service.child.stop();
  const parts = wantsParts ? await costs() : [];
  const median = (values: readonly number[]) => spreadOf(values).median;
  const summary = (of: (round: Taken) => Measured): Measured => ({
    perSecond: median(taken.map((round) => of(round).perSecond)),
    p50: median(taken.map((round) => of(round).p50)),
    p99: median(taken.map((round) => of(round).p99)),
    cpuMicroseconds: median(taken.map((round) => of(round).cpuMicroseconds)),
  });
  return {
    rewards,
    connections: CONNECTIONS,
    bare: summary((round) => round.bare),
    version: summary((round) => round.version),
    rewardsOfWallet: summary((round) => round.rewards),
    verifiedPerSecond: median(taken.map(({ verified }) => verified)),
    ofBare: median(taken.map((round) => round.version.perSecond / round.bare.perSecond)),
    ofVerifying: median(taken.map((round) => round.rewards.perSecond / round.verified)),
    parts,
  };
}

interface RewardsAnswer {
  readonly data: readonly {
    readonly tokenInfo: { readonly address: string };
    readonly unclaimedRewards: { readonly sol: number; readonly token: number };
  }[];
}

/** @throws when an answer of the service differs from the ledger */
async function requireExactAnswers(database: Database, load: Child, port: number): Promise<void> {
  const requests = await ask<SignedHeaders[]>(load, { kind: 'requests', count: CHECKED_ANSWERS });
  for (const { address, headers } of requests) {
    const response = await fetch(`http://127.0.0.1:${port}/rewards/${address}`, { headers });
    const { data } = (await response.json()) as RewardsAnswer;
    const expected = await rowsOf<{ mint: string; sol: number; token: number }>(
      database.queries,
      sql`select mint, sum(balance) filter (where asset = 'SOL')::float8 as sol,
            sum(balance) filter (where asset = 'TOKEN')::float8 as token
          from ledger_accounts where owner = ${address} group by mint order by mint`,
    );
    const told = data.map(({ tokenInfo, unclaimedRewards: { sol: lamports, token } }) => ({
      mint: tokenInfo.address,
      sol: lamports,
      token,
    }));
    if (expected.length === 0 || JSON.stringify(told) !== JSON.stringify(expected))
      throw new Error(`the rewards of ${address} are answered as ${JSON.stringify(data)}`);
  }
}

function ask<Answer>(load: Child, order: LoadOrder): Promise<Answer> {
  return load.ask<Answer>(order);
}

/** Runs both, and swaps their order in every other round. */
async function inTurn<T>(
  round: number,
  [a, b]: readonly [() => Promise<T>, () => Promise<T>],
): Promise<[T, T]> {
  if (round % 2 === 1) return [await a(), await b()];
  const second = await b();
  return [await a(), second];
}
