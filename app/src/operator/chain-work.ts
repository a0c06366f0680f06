// For commands that sign with an authority's key: they need the database, the cluster and the configuration.
import type { Config } from '../config/config.js';
import { createContext, type Context } from '../context.js';
import { createLogger } from '../base/logging/logging.js';
import { createMetrics } from '../base/metrics.js';
import { startTracing } from '../base/tracing/start.js';
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
  return withDatabase(terminal, async (database) => {
    const context = await createContext(config, {
      database,
      connection,
      logger: createLogger('silent'),
      metrics: createMetrics({ ofProcess: false }),
    });
    return traced(config, () => use(context));
  });
}

/** Runs work whose spans are sent before the command ends, if tracing is configured. */
export async function traced<T>(
  { tracing: config }: Pick<Config, 'tracing'>,
  work: () => Promise<T>,
): Promise<T> {
  const tracing = await startTracing(config);
  try {
    return await work();
  } finally {
    await tracing.stop();
  }
}

/** Tells the operator that a command waits for payments to open. */
export function sayWaiting(terminal: Terminal): (reason: string) => void {
  return (reason) => terminal.err(`waiting until payments may be made: ${reason}`);
}
