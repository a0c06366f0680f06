// Work that is tried again later. A feature decides what to try; here stands when, after how many attempts, and why it waits.
import { sql, type SQL } from 'drizzle-orm';
import { column } from '../arrays.js';
import { rowsOf, type Executor } from '../database.js';
import type { TaskKind } from '../schema/values.js';

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
    const [row] = await rowsOf<{ due_at: string }>(
      db,
      sql`insert into tasks as t (kind, subject, attempts, due_at, problem)
          values (${this.kind}, ${subject}, ${isResting ? 0 : 1}, ${due(sql`0`)}, ${problem})
          on conflict (kind, subject) do update set attempts = ${isResting ? sql`0` : sql`t.attempts + 1`},
            due_at = ${due(isResting ? sql`0` : sql`t.attempts`)}, problem = excluded.problem
          returning (extract(epoch from due_at) * 1000)::text as due_at`,
    );
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
    const woken = await rowsOf(
      db,
      sql`update tasks set due_at = least(due_at, ${new Date(now).toISOString()}::timestamptz)
          where kind = ${this.kind} ${which} returning subject`,
    );
    return woken.length;
  }
}
