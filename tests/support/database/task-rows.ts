import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';

/** All tasks by their subjects. `due` is in Unix milliseconds. */
export const taskRows = ({ queries }: Database) =>
  rowsOf<{ subject: string; attempts: number; problem: string | null; due: string }>(
    queries,
    sql`select subject, attempts, problem, (extract(epoch from due_at) * 1000)::text as due from tasks order by subject`,
  );
