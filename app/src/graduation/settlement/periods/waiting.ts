// Stores which tokens are due but cannot be settled, and when all storages were last scanned. In the database, so that every
// instance can report it.
import { sql } from 'drizzle-orm';
import type { Context } from '../../../context.js';
import { column } from '../../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../../db/database.js';
import { always, Tasks, type Pauses } from '../../../db/retries/tasks.js';
import type { SettlementReport } from '../report.js';

/** By token. Its row says why the token's storages are not settled, or why its open settlement waits. */
export const settling = new Tasks('settlement');

/** An attempt that was interrupted is tried again after a second, later after twice the time before. */
export const interruptedPauses = (intervalMs: number): Pauses => ({
  firstMs: 1_000,
  longestMs: Math.min(60_000, intervalMs),
});

/** When an outcome is, and how long a token then waits for an operator. */
export interface When {
  readonly now: number;
  readonly intervalMs: number;
}

export const whenOf = ({ now, config }: Context): When => ({
  now: now(),
  intervalMs: config.settlement.intervalSeconds * 1_000,
});

/**
 * Stores the outcome for a token. One that waits for an operator is tried again after an interval. Others are retried soon: they may
 * hold up claims.
 */
export async function rememberReport(
  tx: Transaction,
  { mint, outcome, problems, isInterrupted = false }: SettlementReport,
  { now, intervalMs }: When,
): Promise<void> {
  if (outcome !== 'waiting') return settling.done(tx, mint);
  await settling.postpone(tx, {
    ...{ subject: mint, problem: problems.join('; '), now, isResting: !isInterrupted },
    pauses: isInterrupted ? interruptedPauses(intervalMs) : always(intervalMs),
  });
}

/** Stores the outcome of a full scan, and forgets waiting tokens that the scan did not find. */
export async function rememberPass(
  tx: Transaction,
  reports: readonly SettlementReport[],
  when: When,
): Promise<void> {
  for (const report of reports) await rememberReport(tx, report, when);
  const waiting = column(
    reports.filter(({ outcome }) => outcome === 'waiting').map(({ mint }) => mint),
    'text',
  );
  await tx.execute(sql`
    delete from tasks where kind = ${settling.kind} and not (subject = any(${waiting}))
      and not exists (
        select 1 from settlements s where s.mint = subject and s.state in ('sampling', 'planned', 'paid')
      )
  `);
  const passedAt = new Date(when.now).toISOString();
  await tx.execute(sql`
    insert into settlement_passes (id, passed_at) values (1, ${passedAt}::timestamptz)
    on conflict (id) do update set passed_at = excluded.passed_at
  `);
}

export async function settlementGauges(db: Executor) {
  const [row] = await statement<{ waiting: number; troubled: number; sampling: number; last_pass: string }>(
    db,
  )`
    select (
        select count(*) from tasks where kind = ${settling.kind}
          and not exists (select 1 from settlements s where s.mint = subject and s.state = 'sampling')
      )::integer as waiting,
      (
        (select count(*) from settlements where state = 'planned' and problem is not null) +
        (
          select count(*) from authority_transactions t join settlements s on t.subject = 'settlement:' || s.id
          where s.state in ('failed', 'abandoned') and t.state = 'finalized'
        )
      )::integer as troubled,
      (select count(*) from settlements where state = 'sampling')::integer as sampling,
      coalesce((select extract(epoch from passed_at) from settlement_passes), 0)::text as last_pass`;
  return {
    waiting: row?.waiting ?? 0,
    troubled: row?.troubled ?? 0,
    /** Open periods. */
    sampling: row?.sampling ?? 0,
    /** Unix seconds; 0 before the first scan. */
    lastPass: Number(row?.last_pass ?? 0),
  };
}
