// Commands that sign with an authority's key: they need the database, the cluster and the configuration together.
import { createContext, type Context } from '../context.js';
import { createLogger } from '../logging/logging.js';
import { createMetrics } from '../metrics.js';
import { connectCluster } from './cluster.js';
import { withDatabase } from './database.js';
import type { Terminal } from './terminal.js';

/**
 * Does a piece of the service's work on the configured database and cluster. It logs nothing: what there is to say is the
 * command's result.
 *
 * @param rpcUrl another node of the cluster than the configured one
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
