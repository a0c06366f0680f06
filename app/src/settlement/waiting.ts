// Stores which tokens are due but cannot be settled, and when all storages were last scanned. In the database, so that every
// instance can report it.
import { sql } from 'drizzle-orm';
import { column } from '../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../db/database.js';
import type { SettlementReport } from './report.js';

/** Stores the outcome for some tokens. */
export async function rememberReports(tx: Transaction, reports: readonly SettlementReport[]): Promise<void> {
  const waiting = reports.filter(({ outcome }) => outcome === 'waiting');
  const others = reports.filter(({ outcome }) => outcome !== 'waiting');
  if (others.length > 0) {
    const mints = column(
      others.map(({ mint }) => mint),
      'text',
    );
    await tx.execute(sql`delete from settlement_waiting where mint = any(${mints})`);
  }
  if (waiting.length === 0) return;
  const mints = column(
    waiting.map(({ mint }) => mint),
    'text',
  );
  const problems = column(
    waiting.map((report) => report.problems.join('; ')),
    'text',
  );
  await tx.execute(sql`
    insert into settlement_waiting (mint, problem)
    select distinct on (mint) mint, problem from unnest(${mints}, ${problems}) as waiting(mint, problem) order by mint
    on conflict (mint) do update set problem = excluded.problem
  `);
}

/** Stores that a full scan ended, and removes waiting tokens that the scan did not find. */
export async function rememberPass(
  tx: Transaction,
  reports: readonly SettlementReport[],
  at: Date,
): Promise<void> {
  await rememberReports(tx, reports);
  const waiting = column(
    reports.filter(({ outcome }) => outcome === 'waiting').map(({ mint }) => mint),
    'text',
  );
  await tx.execute(sql`
    delete from settlement_waiting where not (mint = any(${waiting}))
      and not exists (
        select 1 from settlements s where s.mint = settlement_waiting.mint and s.state in ('sampling', 'planned', 'paid')
      )
  `);
  await tx.execute(sql`
    insert into settlement_passes (id, passed_at) values (1, ${at.toISOString()}::timestamptz)
    on conflict (id) do update set passed_at = excluded.passed_at
  `);
}

export interface SettlementGauges {
  readonly waiting: number;
  readonly troubled: number;
  /** Open periods. */
  readonly sampling: number;
  /** Unix seconds; 0 before the first scan. */
  readonly lastPass: number;
}

export async function settlementGauges(db: Executor): Promise<SettlementGauges> {
  const [row] = await rowsOf<{ waiting: number; troubled: number; sampling: number; last_pass: string }>(
    db,
    sql`
      select (select count(*) from settlement_waiting)::integer as waiting,
        (
          (select count(*) from settlements where state = 'planned' and problem is not null) +
          (
            select count(*) from authority_transactions t join settlements s on t.subject = 'settlement:' || s.id
            where s.state in ('failed', 'abandoned') and t.state = 'finalized'
          )
        )::integer as troubled,
        (select count(*) from settlements where state = 'sampling')::integer as sampling,
        coalesce((select extract(epoch from passed_at) from settlement_passes), 0)::text as last_pass
    `,
  );
  return {
    waiting: row?.waiting ?? 0,
    troubled: row?.troubled ?? 0,
    sampling: row?.sampling ?? 0,
    lastPass: Number(row?.last_pass ?? 0),
  };
}
