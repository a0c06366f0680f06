import type { Command } from 'commander';
import { resolve } from 'node:path';
import { CommandError, type Registration, type Terminal } from '../command.js';
import { solAmount } from '../values.js';
import { readConfig, type Config } from '../../config/config.js';
import { createContext } from '../../context.js';
import { watchOwnKeys } from '../../ledger/gate/payments-gate.js';
import { createOperatorApp, listenForOperators } from '../../http/operator-app.js';
import { databaseCheck, nodeCheck, paymentsCheck } from '../../checks.js';
import { limitCheck } from '../../outside-checks.js';
import { untilSignal, logConsole, logWarnings } from '../../base/process.js';
import { createLogger, type Logger } from '../../base/logging/logging.js';
import { claimsWithin } from '../../signer/claims-payer.js';
import { ExpiredClaims } from '../../signer/expired-claims.js';
import { SpendingLimit, measureLimit } from '../../signer/spending-limit.js';
import { serveSigner } from '../../signer/server.js';

export function register(command: Command, { terminal }: Registration): void {
  command
    .requiredOption('--socket <path>', 'unix socket to listen on; its owner and group may ask for signatures')
    .option(
      '--claims',
      'store claims too (needs DATABASE_URL and RPC_URL), and pay only what the ledger owes',
    )
    .option('--sol-per-day <sol>', 'most that may leave the treasury in 24 hours', solAmount)
    .option('--json', 'print one line of JSON, before the lines of the log')
    .action((options: SignerOptions) => runSigner(terminal, options));
}

interface SignerOptions {
  readonly socket: string;
  readonly claims?: boolean;
  /** Lamports. */
  readonly solPerDay?: bigint;
  readonly json?: boolean;
}

async function runSigner(
  { environment, out }: Terminal,
  { socket, claims = false, solPerDay, json }: SignerOptions,
): Promise<void> {
  const config = readConfig(environment);
  const { treasury } = config;
  if (treasury === undefined)
    throw new CommandError('the signer needs the key of the treasury: set TREASURY_KEYPAIR');
  if (treasury.claim !== undefined)
    throw new CommandError('TREASURY_KEYPAIR names a signer that pays claims itself; give this one a key');
  await treasury.check();
  const logger = createLogger(config.logLevel);
  logWarnings(logger);
  const path = resolve(socket);
  const limit = new SpendingLimit(solPerDay);
  const paying = claims ? await payClaims(config, logger, limit) : undefined;
  try {
    const stop = await serveSigner({
      socket: path,
      treasury,
      limit,
      logger,
      ...(paying && { claims: paying.claims }),
    }).catch((error: unknown) => {
      throw new CommandError((error as Error).message, { cause: error });
    });
    logConsole(logger);
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const url = `unix://${encoded}?address=${treasury.publicKey.toBase58()}${claims ? '&pays=claims' : ''}`;
    // One line, like the lines of the log.
    out(json === true ? JSON.stringify({ treasuryKeypair: url }) : `TREASURY_KEYPAIR=${url}`);
    await untilSignal();
    await stop();
  } finally {
    await paying?.stop();
  }
}

/** Opens the database, and the operator's port if one is configured. */
async function payClaims(config: Config, logger: Logger, limit: SpendingLimit) {
  if (config.database.kind !== 'postgres')
    throw new CommandError('--claims needs the database of the service: set DATABASE_URL, of PostgreSQL');
  const context = await createContext(config, { logger });
  const { database, metrics } = context;
  try {
    // Must come before a claim is signed with this key.
    await watchOwnKeys(context);
    const expired = new ExpiredClaims(context);
    const claims = claimsWithin(limit, context, (claim, takeBack) => expired.watch(claim, takeBack));
    measureLimit(limit, metrics.registry);
    const { http } = config;
    const app = createOperatorApp({
      config: http,
      logger,
      registry: metrics.registry,
      healthChecks: [],
      readyChecks: [databaseCheck(context), nodeCheck(context), paymentsCheck(context), limitCheck(limit)],
      isClosing: () => false,
    });
    const operators = await listenForOperators(app, http);
    return {
      claims,
      async stop() {
        await Promise.all([operators?.close(0), expired.stop()]);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
