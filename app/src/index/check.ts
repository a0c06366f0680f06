// Compares the state derived from the records with the curve accounts. A difference means that the index cannot be trusted.
import { fetchManyTokenOwnerData, type TokenOwnerData } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.js';
import { column } from '../db/statements.js';
import { statement, type Queries } from '../db/database.js';
import { idOf } from './trades/trade.js';
import { repeatedJob, type Step, type Job } from '../db/jobs/leader-job.js';

export interface CurveMismatch {
  readonly mint: string;
  /** State derived from the records. */
  readonly derived: TokenOwnerData;
  /** State of the account; null when the account does not exist. */
  readonly onChain: TokenOwnerData | null;
}

/** Curves compared at once: the maximum that an RPC node returns in one answer. */
const PAGE = 100;
/** A difference counts only if the index has not reached the account's state after this many checks. */
const LOOKS = 5;
const LOOK_INTERVAL_MS = 1_000;
const CHECK_INTERVAL_MS = 10 * 60_000;

/** All indexed curves that differ from their accounts. */
export async function checkCurves(
  context: Context,
  signal?: AbortSignal,
  step: Step = (work) => work(),
): Promise<CurveMismatch[]> {
  const { queries } = context.database;
  const mismatches: CurveMismatch[] = [];
  for (let after = ''; ;) {
    const mints = (
      await statement<{ mint: string }>(queries)`
        select mint from curve_states where mint > ${after} order by mint limit ${PAGE}`
    ).map(({ mint }) => mint);
    const last = mints.at(-1);
    if (last === undefined) return mismatches;
    mismatches.push(...(await step(() => lastingMismatches(context, mints, signal))));
    after = last;
  }
}

/** Checks at intervals, on one instance. The database stores the result for the metrics of all instances. */
export function createCurveCheck(context: Context): Job {
  return repeatedJob('curve-check', context, CHECK_INTERVAL_MS, async (leading, step, signal) => {
    const mismatches = await checkCurves({ ...context, database: leading }, signal, step);
    await leading.transaction((tx) =>
      tx.execute(sql`update indexer_state set mismatched_curves = ${mismatches.length}`),
    );
    for (const { mint } of mismatches)
      context.logger.error(
        { mint },
        'the index of this token differs from the chain: run `curvekit reindex`',
      );
  });
}

/** The accounts are read first, so the index must soon reach or pass their state. */
async function lastingMismatches(
  { database, connection, deployment }: Context,
  mints: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CurveMismatch[]> {
  const keys = mints.map((mint) => new PublicKey(mint));
  const accounts = await fetchManyTokenOwnerData(connection, keys, { commitment: 'confirmed', deployment });
  const onChain = new Map(mints.map((mint, index) => [mint, accounts[index] ?? null]));
  for (let look = 1, open = mints; ; look += 1) {
    const derived = await derivedCurves(database.queries, open);
    const differing: CurveMismatch[] = [];
    for (const mint of open) {
      const curve = derived.get(mint);
      const account = onChain.get(mint) ?? null;
      // A curve that is no longer indexed was dropped by a reorg.
      if (curve === undefined || (account !== null && isSame(curve, account))) continue;
      if (account !== null && (await hasPassed(database.queries, mint, account))) continue;
      differing.push({ mint, derived: curve, onChain: account });
    }
    if (differing.length === 0 || look === LOOKS) return differing;
    open = differing.map(({ mint }) => mint);
    await sleep(LOOK_INTERVAL_MS, undefined, signal === undefined ? {} : { signal });
  }
}

/** Whether the index has passed the state of the account. */
async function hasPassed(
  queries: Queries,
  mint: string,
  { virtualSol, virtualToken }: TokenOwnerData,
): Promise<boolean> {
  const rows = await statement(queries)`
    select 1 from curve_states s join tokens t on t.mint = s.mint
    where s.mint = ${mint} and (
      (t.initial_virtual_sol = ${String(virtualSol)}::numeric
        and t.initial_virtual_token = ${String(virtualToken)}::numeric and t.record_id < s.last_record_id)
      or exists (
        select 1 from trades where trades.mint_id = ${idOf(sql`s.mint`)} and venue = 'curve' and trades.id < s.last_record_id
          and virtual_sol = ${String(virtualSol)}::numeric and virtual_token = ${String(virtualToken)}::numeric
      ))`;
  return rows.length > 0;
}

async function derivedCurves(
  queries: Queries,
  mints: readonly string[],
): Promise<Map<string, TokenOwnerData>> {
  const rows = await statement<{
    mint: string;
    status: TokenOwnerData['initialized'];
    sol: string;
    token: string;
    fee: number;
    burn: number;
  }>(queries)`
    select s.mint, s.status, s.virtual_sol::text as sol, s.virtual_token::text as token,
      t.after_migration_fee_bps as fee, t.burn_bps as burn
    from curve_states s join tokens t on t.mint = s.mint where s.mint = any(${column(mints, 'text')})`;
  return new Map(
    rows.map(({ mint, status, sol, token, fee, burn }) => [
      mint,
      {
        initialized: status,
        virtualSol: BigInt(sol),
        virtualToken: BigInt(token),
        afterMigrationFee: fee,
        afterMigrationBurnBp: burn,
      },
    ]),
  );
}

function isSame(a: TokenOwnerData, b: TokenOwnerData): boolean {
  return (
    a.initialized === b.initialized &&
    a.virtualSol === b.virtualSol &&
    a.virtualToken === b.virtualToken &&
    a.afterMigrationFee === b.afterMigrationFee &&
    a.afterMigrationBurnBp === b.afterMigrationBurnBp
  );
}
