// The database of a command. Only `migrate-db` and `start` change its tables.
import { readConfig } from '../config/config.js';
import type { Database } from '../db/database.js';
import { pendingMigrations } from '../db/migration-state.js';
import { CommandError } from './errors.js';
import type { Terminal } from './terminal.js';

/** Opens the configured database for a command's work. */
export async function withDatabase<T>(
  { environment, openDatabase }: Terminal,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(readConfig(environment).database);
  try {
    const pending = await pendingMigrations(database.queries);
    if (pending.length > 0) {
      throw new CommandError(
        `the database's tables are missing or old (migrations to apply: ${pending.length}); run \`curvekit migrate-db\` first`,
      );
    }
    // A command may read more rows, and take longer, than a request.
    return await use(database.on('jobs'));
  } finally {
    await database.close();
  }
}
