import { resolve } from 'node:path';
import { readConfig } from '../../config/config.js';
import { logConsole } from '../../logging/console-lines.js';
import { createLogger } from '../../logging/logging.js';
import { SpendingLimit } from '../../signer-process/spending-limit.js';
import { serveSigner } from '../../signer-process/server.js';
import { untilSignal } from '../../until-signal.js';
import { CommandError } from '../errors.js';
import type { Terminal } from '../terminal.js';

export interface SignerOptions {
  readonly socket: string;
  /** Lamports. */
  readonly solPerDay?: bigint;
  readonly json?: boolean;
}

export async function runSigner(
  { environment, out }: Terminal,
  { socket, solPerDay, json }: SignerOptions,
): Promise<void> {
  const { treasury, logLevel } = readConfig(environment);
  if (treasury === undefined)
    throw new CommandError('the signer needs the key of the treasury: set TREASURY_KEYPAIR');
  await treasury.check();
  const logger = createLogger(logLevel);
  const path = resolve(socket);
  const stop = await serveSigner({
    socket: path,
    treasury,
    limit: new SpendingLimit(solPerDay),
    logger,
  }).catch((error: unknown) => {
    throw new CommandError((error as Error).message, { cause: error });
  });
  logConsole(logger);
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const url = `unix://${encoded}?address=${treasury.publicKey.toBase58()}`;
  // One line, like the lines of the log.
  out(json === true ? JSON.stringify({ treasuryKeypair: url }) : `TREASURY_KEYPAIR=${url}`);
  await untilSignal();
  await stop();
}
