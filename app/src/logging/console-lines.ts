// Packages that print plain text, such as web3.js, would break the log's JSON lines.
import { format } from 'node:util';
import { shortenBase58 } from './logged-error.js';
import type { Logger } from './logging.js';

const LEVELS = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'warn' } as const;

/** Logs everything written to the console, until the process ends. */
export function logConsole(logger: Logger): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...values: unknown[]) =>
      logger[level]({ from: 'console' }, shortenBase58(format(...values)));
  }
}
