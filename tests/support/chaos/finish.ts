// The end of a chaos run: the service finishes everything, and nothing is left over or missing.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, statement, type Database } from '#app/db/database.js';
import { expectIndexOf, recordsOnChain } from '../cluster/chain-records.js';
import { Operator } from '../service/operator.js';
import { expireBlockhashes } from '../service/rewards.js';
import { whileFinalizing } from '../service/service-context.js';
import { tokensOf } from '../program/tokens.js';
import { auditAtRest, type Seen } from './audit.js';
import type { World } from './world.js';

/** Processes, one after the other, in which everything must end. */
const LIVES = 20;
const LIFE_MS = 3_000;

export interface Finished {
  /** Number of claims by their final state. */
  readonly claims: Readonly<Record<string, number>>;
  readonly settlements: number;
  readonly graduations: number;
}

/** @throws when something does not end, or is not exact at the end */
export async function finish(world: World, seen: Seen): Promise<Finished> {
  const { cluster, store } = world;
  let open = '';
  for (let life = 0; life < LIVES; life += 1) {
    await expireBlockhashes(cluster);
    const service = await world.start();
    await whileFinalizing(cluster, () => sleep(LIFE_MS));
    const code = await service.terminate();
    world.service = undefined;
    if (code !== 0) throw new Error(`the service ended with ${code} after SIGTERM`);
    const finished = await store.read(async (database) => {
      open = await openWork(world, database);
      return open === '' ? exactTotals(world, database, seen) : undefined;
    });
    if (finished === undefined) continue;
    await ledgerCheck(world);
    return finished;
  }
  throw new Error(`still open after ${LIVES} undisturbed processes: ${open}`);
}

/** What has not ended, in words. Empty if everything has. */
async function openWork(world: World, { queries }: Database): Promise<string> {
  const [row] = await statement<{ claims: number; settlements: number; records: number }>(queries)`
    select (select count(*)::integer from claims where state = 'IN_PROGRESS') as claims,
    (select count(*)::integer from settlements where state in ('planned', 'paid')) as settlements,
    (select count(*)::integer from records where not finalized) as records`;
  const { connection } = world.cluster;
  const { communityWsolStorage, communityTokenStorage } = world.settled;
  const graduated = await statement(queries)`select mint from graduations`;
  const open = {
    claims: row!.claims,
    settlements: row!.settlements,
    'lamports in the storage': await tokensOf(connection, communityWsolStorage.address),
    'tokens in the storage': await tokensOf(connection, communityTokenStorage.address),
    'records that are not final': row!.records,
    'records that are not indexed':
      (await recordsOnChain(world.cluster)).length - (await recordCount(queries)),
    'sold-out curves without a pool': world.soldOut.length - graduated.length,
  };
  return Object.entries(open)
    .filter(([, count]) => Number(count) !== 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

async function recordCount(queries: Database['queries']): Promise<number> {
  const [row] = await statement<{ count: number }>(queries)`select count(*)::integer as count from records`;
  return row!.count;
}

async function exactTotals(world: World, { queries }: Database, seen: Seen): Promise<Finished> {
  const problems = await auditAtRest(world, queries, seen);
  const mint = world.settled.mint.toBase58();
  const settled = await sums(
    queries,
    sql`select coalesce(sum(sol), 0)::text as sol, coalesce(sum(token), 0)::text as token,
      coalesce(sum(sol_holders + sol_creator_credited), 0)::text as sol_credited, coalesce(sum(token_holders + token_creator_credited), 0)::text as token_credited,
      count(*)::text as count
      from settlements where state = 'done' and mint = ${mint}`,
  );
  const held = await sums(
    queries,
    sql`select coalesce(sum(balance) filter (where asset = 'SOL'), 0)::text as sol,
      coalesce(sum(balance) filter (where asset = 'TOKEN'), 0)::text as token
      from ledger_accounts where mint = ${mint} and kind in ('claimable', 'reserved', 'claimed')`,
  );
  for (const asset of ['sol', 'token'] as const) {
    if (settled[asset] !== world.given[asset])
      problems.push(
        `${asset}: ${world.given[asset]} was given to the storage, and ${settled[asset]} is settled`,
      );
    if (held[asset] !== settled[`${asset}_credited`])
      problems.push(
        `${asset}: settlements credit ${settled[`${asset}_credited`]} to wallets, whose accounts have ${held[asset]}`,
      );
  }
  if (problems.length > 0) throw new Error(`at the end: ${problems.join('\n')}`);
  await expectIndexOf(queries, await recordsOnChain(world.cluster), { finalized: true });
  const claims = await statement<{ state: string; count: number }>(queries)`
    select state, count(*)::integer as count from claims group by state`;
  return {
    claims: Object.fromEntries(claims.map(({ state, count }) => [state, count])),
    settlements: Number(settled['count']),
    graduations: world.soldOut.length,
  };
}

async function sums(queries: Database['queries'], query: SQL): Promise<Record<string, bigint>> {
  const [row] = await rowsOf<Record<string, string>>(queries, query);
  return Object.fromEntries(Object.entries(row!).map(([name, sum]) => [name, BigInt(sum)]));
}

/** What an operator would type. */
async function ledgerCheck({ environment }: World): Promise<void> {
  const operator = new Operator({ environment });
  try {
    const { problems } = await operator.command<{ problems: readonly unknown[] }>('ledger', 'check');
    if (problems.length > 0) throw new Error(`curvekit ledger check: ${JSON.stringify(problems)}`);
  } finally {
    operator.kill();
  }
}
