// Work that is tried again later. A feature decides what to try; here stands when, after how many attempts, and why it waits.
import { sql, type SQL } from 'drizzle-orm';
import { column } from '../statements.js';
import { statement, type Executor, type Database } from '../database.js';
import { type TaskKind, TASK_KINDS } from '../schema/values.js';
import { Gauge } from 'prom-client';
import type { Metrics } from '../../base/metrics.js';

/** The pause after the first attempt. It doubles with each one, up to the longest. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

export interface Postponed {
  readonly subject: string;
  /** Why it waits; null when only the index has to show that it is done. */
  readonly problem: string | null;
  /** Milliseconds of the service's clock. */
  readonly now: number;
  readonly pauses: Pauses;
  /** Waits for an operator, so the next failure is the first in a row. */
  readonly isResting?: boolean;
}

/** A pause that is the same after every attempt. */
export const always = (ms: number): Pauses => ({ firstMs: ms, longestMs: ms });

/** Doubles at most so often: the pause is far over the longest by then. */
const MOST_DOUBLINGS = 30;

export class Tasks {
  constructor(readonly kind: TaskKind) {}

  /** Stores that a subject is tried again later. @returns when, in milliseconds */
  async postpone(
    db: Executor,
    { subject, problem, now, pauses: { firstMs, longestMs }, isResting = false }: Postponed,
  ): Promise<number> {
    const due = (attempts: SQL) => sql`${new Date(now).toISOString()}::timestamptz + interval '1 millisecond'
      * least(${firstMs}::float8 * 2 ^ least(${attempts}, ${MOST_DOUBLINGS}), ${longestMs}::float8)`;
    const [row] = await statement<{ due_at: string }>(db)`
      insert into tasks as t (kind, subject, attempts, due_at, problem)
      values (${this.kind}, ${subject}, ${isResting ? 0 : 1}, ${due(sql`0`)}, ${problem})
      on conflict (kind, subject) do update set attempts = ${isResting ? sql`0` : sql`t.attempts + 1`},
        due_at = ${due(isResting ? sql`0` : sql`t.attempts`)}, problem = excluded.problem
      returning (extract(epoch from due_at) * 1000)::text as due_at`;
    return Number(row!.due_at);
  }

  /** Forgets subjects that wait no longer. */
  async done(db: Executor, ...subjects: readonly string[]): Promise<void> {
    if (subjects.length === 0) return;
    await db.execute(
      sql`delete from tasks where kind = ${this.kind} and subject = any(${column(subjects, 'text')})`,
    );
  }

  /** Makes subjects due at once, all of the kind by default: a new leader or an operator tries again. @returns how many */
  async wake(db: Executor, now: number, subject?: string): Promise<number> {
    const which = subject === undefined ? sql`` : sql`and subject = ${subject}`;
    const woken = await statement(db)`
      update tasks set due_at = least(due_at, ${new Date(now).toISOString()}::timestamptz)
      where kind = ${this.kind} ${which} returning subject`;
    return woken.length;
  }
}

// What operators see of the work that is tried again later.

interface WaitingTask {
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
  const rows = await statement<
    Pick<WaitingTask, 'kind' | 'subject' | 'attempts' | 'problem'> & { since: string; due_at: string }
  >(db)`
    select kind, subject, attempts, problem, (extract(epoch from since) * 1000)::text as since,
      (extract(epoch from due_at) * 1000)::text as due_at
    from tasks where problem is not null ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
    order by due_at, kind, subject limit ${limit}`;
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
      const rows = await statement<{ kind: TaskKind; count: number }>(queries)`
        select kind, count(*)::integer as count from tasks where problem is not null group by kind`.catch(
        () => undefined,
      );
      for (const kind of TASK_KINDS)
        this.set({ kind }, rows === undefined ? NaN : (rows.find((row) => row.kind === kind)?.count ?? 0));
    },
  });
}
