// Starts the service from the environment, and stops it when it is told to.
import { ConfigError, readConfig } from './config.js';
import { DatabaseError } from './db/errors.js';
import { startService } from './service.js';

const EXIT_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function main(): Promise<void> {
  const service = await startService(readConfig(process.env));
  const { logger } = service.context;
  const ended = new Promise<void>((resolve) => {
    for (const name of EXIT_SIGNALS) {
      process.once(name, () => {
        // Told twice, it ends at once.
        for (const again of EXIT_SIGNALS) process.once(again, () => process.exit(1));
        resolve();
      });
    }
  });
  await ended;
  await service.stop();
  logger.info('closed');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const known = error instanceof ConfigError || error instanceof DatabaseError;
    console.error(known ? error.message : error);
    process.exit(1);
  },
);
