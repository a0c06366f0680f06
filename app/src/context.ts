import { createDeployment, type Deployment } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import type { Config } from './config/config.js';
import { openDatabase, type Database } from './db/database.js';
import { createLogger, type Logger } from './base/logging/logging.js';
import { createMetrics, type Metrics } from './base/metrics.js';
import { Peers } from './base/peers.js';
import { connectNode } from './chain/connection.js';

/**
 * Dependencies of every part of the service. Passed in and never global, so that tests can run several services at once.
 */
export interface Context {
  readonly config: Config;
  readonly database: Database;
  /** Commitment `confirmed`. Every request has a time limit. */
  readonly connection: Connection;
  readonly deployment: Deployment;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly peers: Peers;
  /** The service's clock, in milliseconds. */
  readonly now: () => number;
}

/** Opens the database, brings its tables up to date, and connects to the cluster. Close the database when done. */
export async function createContext(config: Config, overrides: Partial<Context> = {}): Promise<Context> {
  const database = overrides.database ?? (await openDatabase(config.database));
  await database.migrate();
  return {
    config,
    database,
    connection: connectNode(config),
    deployment: deploymentOf(config),
    logger: createLogger(config.logLevel),
    metrics: createMetrics({ ofProcess: true }),
    peers: new Peers(),
    now: Date.now,
    ...overrides,
  };
}

/**
 * The program that the service works with, and its authorities. When curves graduate by themselves, a PDA takes the fees.
 */
export function deploymentOf({ programId, authorities, graduation }: Config): Deployment {
  const { admin, dexOwner } = authorities;
  const ofGraduation = {
    ...(graduation.programId && { programId: graduation.programId }),
    ...(graduation.treasury && { treasury: graduation.treasury }),
  };
  const pda =
    graduation.programId && createDeployment({ graduation: ofGraduation }).graduation.feeReceiver.address;
  const feeReceiver = authorities.feeReceiver ?? pda;
  return createDeployment({
    ...(programId && { programId }),
    ...(dexOwner && { dexOwner }),
    ...(feeReceiver && { feeReceiver }),
    ...(admin && { admin }),
    graduation: ofGraduation,
  });
}
