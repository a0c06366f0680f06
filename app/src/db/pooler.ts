// Finds a pooler that gives each transaction another connection and forgets prepared statements, such as PgBouncer before 1.21.
import pg from 'pg';
import { connectionOf, type Connecting } from './connection.js';

/** Has its own name: another session must not know it. */
const STATEMENT = { name: 'curvekit_pooler_check', text: 'select 1' };
/** PostgreSQL's code for a prepared statement that does not exist. */
const UNKNOWN_STATEMENT = '26000';
/** Sessions that hold connections meanwhile. A pooler hands out the one used last, or the one used longest ago. */
const HOLDERS = 4;
const TIMEOUT_MS = 5_000;

/** @throws the driver's error when the database does not answer */
export async function forgetsStatements(url: string): Promise<boolean> {
  const connecting = await connectionOf(url);
  const sessions = Array.from({ length: HOLDERS + 1 }, () => sessionOf(connecting));
  try {
    await Promise.all(sessions.map((each) => each.connect()));
    const [session, ...holders] = sessions;
    await session!.query(STATEMENT);
    // The connection that knows the statement may be taken by one of these.
    for (const holder of holders) await holder.query('begin');
    await session!.query(STATEMENT);
    return false;
  } catch (error) {
    if ((error as Partial<pg.DatabaseError>).code === UNKNOWN_STATEMENT) return true;
    throw error;
  } finally {
    await Promise.all(sessions.map((each) => each.end().catch(() => undefined)));
  }
}

function sessionOf(connecting: Connecting): pg.Client {
  const session = new pg.Client({
    ...connecting,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A lost connection is the error of its query.
  return session.on('error', () => undefined);
}
