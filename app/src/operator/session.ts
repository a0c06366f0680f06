// The cluster of a command.
import type { Connection, TransactionInstruction } from '@solana/web3.js';
import { prepareTransaction, sendAndConfirm, type Deployment, CurvekitError } from '@curvekit/sdk';
import { namingPayer } from '../sending/sign.js';
import { readConfig, type Config } from '../config/config.js';
import { deploymentOf, createContext, type Context } from '../context.js';
import { connectNode } from '../chain/connection.js';
import { type Signer, signTransaction } from '../keys/signer.js';
import { CommandError, type Terminal } from './command.js';
import type { Database } from '../db/database.js';
import { pendingMigrations } from '../db/migrate.js';
import { createLogger } from '../base/logging/logging.js';
import { createMetrics } from '../base/metrics.js';
import { startTracing } from '../base/tracing/spans.js';
import { hasGraduationProgram } from '../graduation/submit.js';
import { ExplainedError } from '../base/errors.js';
import { nodeErrorOf } from '../chain/node-errors.js';
import { shownError } from '../base/logging/logged-error.js';

export interface CommandCluster {
  readonly config: Config;
  /** Commitment `confirmed`. */
  readonly connection: Connection;
  readonly deployment: Deployment;
}

/**
 * The configured cluster.
 *
 * @param rpcUrl an RPC node to use instead of the configured one
 * @throws CommandError when the RPC node does not answer
 */
export async function connectCluster({ environment }: Terminal, rpcUrl?: string): Promise<CommandCluster> {
  const config = readConfig(
    rpcUrl === undefined ? environment : { ...environment, RPC_URL: rpcUrl, WS_URL: '' },
  );
  const connection = connectNode(config);
  try {
    await connection.getSlot();
  } catch (cause) {
    const { message } = cause as Error;
    throw new CommandError(rpcUrl === undefined ? message : message.replaceAll('RPC_URL', '--rpc-url'), {
      cause,
    });
  }
  return { config, connection, deployment: deploymentOf(config) };
}

/** Sends instructions that the payer signs, and waits until they are confirmed. @returns the signature */
export async function sendInstructions(
  { connection, deployment }: Omit<CommandCluster, 'config'>,
  payer: Signer,
  instructions: TransactionInstruction[],
): Promise<string> {
  const prepared = await prepareTransaction(
    connection,
    { payer: payer.publicKey, instructions },
    { deployment },
  ).catch((error: unknown) => {
    throw namingPayer(error, payer.publicKey);
  });
  await signTransaction(prepared.transaction, [payer]);
  const { signature } = await sendAndConfirm(connection, prepared, { deployment, skipPreflight: true });
  return signature;
}

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

/** @throws CommandError when the launchpad has no graduation program: there a key migrates the curves */
export async function requireGraduationProgram({ connection, deployment }: CommandCluster): Promise<void> {
  if (await hasGraduationProgram(connection, deployment)) return;
  throw new CommandError(
    `there is no graduation program at ${deployment.graduation.programId.toBase58()}: here the holder of the fee receiver's key migrates (\`curvekit migrate\`). With a graduation program of your own, set GRADUATION_PROGRAM_ID`,
  );
}

/** What an error says to the operator: its message, if that tells enough; else the stack trace. */
export function explained(error: unknown): string {
  const ofNode = nodeErrorOf(error);
  if (ofNode !== undefined) return ofNode.message;
  if (error instanceof ExplainedError || error instanceof CurvekitError) return error.message;
  return `failed unexpectedly: ${shownError(error)}`;
}
