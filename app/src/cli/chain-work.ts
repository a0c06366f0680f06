// For commands that sign with an authority's key: they need the database, the cluster and the configuration.
import { createContext, type Context } from '../context.js';
import { createLogger } from '../logging/logging.js';
import { createMetrics } from '../metrics.js';
import { connectCluster } from './cluster.js';
import { withDatabase } from './database.js';
import type { Terminal } from './terminal.js';

/**
 * Runs `use` on the configured database and cluster. It logs nothing: the command prints the result.
 *
 * @param rpcUrl an RPC node to use instead of the configured one
 */
export async function withContext<T>(
  terminal: Terminal,
  use: (context: Context) => Promise<T>,
  rpcUrl?: string,
): Promise<T> {
  const { config, connection } = await connectCluster(terminal, rpcUrl);
  return withDatabase(terminal, async (database) =>
    use(
      await createContext(config, {
        database,
        connection,
        logger: createLogger('silent'),
        metrics: createMetrics({ ofProcess: false }),
      }),
    ),
  );
}

/** Tells the operator that a command waits for payments to open. */
export function sayWaiting(terminal: Terminal): (reason: string) => void {
  return (reason) => terminal.err(`waiting until payments may be made: ${reason}`);
}
