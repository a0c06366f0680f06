// Starts the service from the environment, and stops it on a signal.
import { ConfigError, readConfig } from './config/config.js';
import { DatabaseError } from './db/errors.js';
import { ListenError } from './http/server.js';
import { untilSignal, logWarnings } from './base/process.js';
import { shownError } from './base/logging/logged-error.js';
import { createLogger } from './base/logging/logging.js';
import { startService } from './service.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  logWarnings(logger);
  const service = await startService(config, { overrides: { logger } });
  await untilSignal();
  await service.stop();
  logger.info('closed');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const known = [ConfigError, DatabaseError, ListenError].some((kind) => error instanceof kind);
    console.error(known ? (error as Error).message : shownError(error));
    process.exit(1);
  },
);
