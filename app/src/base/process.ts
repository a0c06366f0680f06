import { format } from 'node:util';
import { shortenBase58 } from './logging/logged-error.js';
import type { Logger } from './logging/logging.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Waits for a stop signal. A second signal ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of SIGNALS) {
      process.once(name, () => {
        for (const again of SIGNALS) process.once(again, () => process.exit(1));
        resolve();
      });
    }
  });
}

// Packages that print plain text, such as web3.js, and Node's own warnings would break the log's JSON lines.

const LEVELS = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'warn' } as const;

export function logConsole(logger: Logger): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...values: unknown[]) =>
      logger[level]({ from: 'console' }, shortenBase58(format(...values)));
  }
}

/** Logs the warnings of Node and of packages (`process.emitWarning`), which Node would print, until the process ends. */
export function logWarnings(logger: Logger): void {
  // Also Node's own listener, which prints.
  process.removeAllListeners('warning');
  process.on('warning', (warning) =>
    logger.warn({ from: 'node', err: warning }, `Node warns: ${warning.name}; please report it`),
  );
}
