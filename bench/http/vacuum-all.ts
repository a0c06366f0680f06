import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';

/** Table by table, so that each statement is within the time that a job's may take. */
export async function vacuumAll(database: Database): Promise<void> {
  const { queries } = database.on('jobs');
  const tables = await rowsOf<{ name: string }>(
    queries,
    sql`select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  for (const { name } of tables) await queries.execute(sql`vacuum (analyze) ${sql.raw(name)}`);
}
