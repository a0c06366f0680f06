// What operators see of the work that is tried again later.
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import type { Metrics } from '../../base/metrics.js';
import { rowsOf, type Database, type Executor } from '../database.js';
import { TASK_KINDS, type TaskKind } from '../schema/values.js';

export interface WaitingTask {
  readonly kind: TaskKind;
  readonly subject: string;
  readonly attempts: number;
  readonly since: Date;
  readonly dueAt: Date;
  readonly problem: string;
}

/** Tasks that have a problem, the next ones to be tried first. @param kind all of them by default */
export async function waitingTasks(
  db: Executor,
  kind: TaskKind | undefined,
  limit: number,
): Promise<WaitingTask[]> {
  const rows = await rowsOf<
    Pick<WaitingTask, 'kind' | 'subject' | 'attempts' | 'problem'> & { since: string; due_at: string }
  >(
    db,
    sql`select kind, subject, attempts, problem, (extract(epoch from since) * 1000)::text as since,
          (extract(epoch from due_at) * 1000)::text as due_at
        from tasks where problem is not null ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
        order by due_at, kind, subject limit ${limit}`,
  );
  return rows.map(({ since, due_at, ...row }) => ({
    ...row,
    since: new Date(Number(since)),
    dueAt: new Date(Number(due_at)),
  }));
}

/** Counts waiting tasks by kind, on every instance. */
export function countWaitingTasks({ queries }: Pick<Database, 'queries'>, { registry }: Metrics): void {
  new Gauge({
    name: 'curvekit_tasks_waiting',
    help: 'Work that had a problem and is tried again later, by kind: curvekit tasks says why',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const rows = await rowsOf<{ kind: TaskKind; count: number }>(
        queries,
        sql`select kind, count(*)::integer as count from tasks where problem is not null group by kind`,
      ).catch(() => undefined);
      for (const kind of TASK_KINDS)
        this.set({ kind }, rows === undefined ? NaN : (rows.find((row) => row.kind === kind)?.count ?? 0));
    },
  });
}
