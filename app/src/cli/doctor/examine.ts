// Runs all checks. Each check comes after the checks that it depends on.
import { Connection } from '@solana/web3.js';
import { ConfigError, readConfig, type Config } from '../../config/config.js';
import { deploymentOf } from '../../context.js';
import type { Database } from '../../db/database.js';
import type { Terminal } from '../terminal.js';
import { checkAdmin } from './admin-check.js';
import {
  checkDevelopmentKeys,
  checkNode,
  checkProgram,
  checkServiceName,
  checkWebsocket,
  type ClusterParts,
} from './cluster-checks.js';
import {
  checkBalances,
  checkIndex,
  checkPartners,
  checkRecovered,
  checkSettlements,
  checkTables,
} from './database-checks.js';
import { checkDexOwner } from './dex-owner-check.js';
import { checkFeeReceiver } from './fee-receiver-check.js';
import { failure, ok, reasonOf, type Finding } from './finding.js';
import { checkGraduation } from './graduation-checks.js';
import { checkProxy, checkRedis } from './http-checks.js';
import { checkKeyFiles } from './key-file-check.js';
import { checkReferralFees, checkSettlement, checkTreasury, checkTreasuryTokens } from './treasury-checks.js';

/** Checks the configuration and everything that it names. Changes nothing. */
export async function examine({
  environment,
  openDatabase,
}: Pick<Terminal, 'environment' | 'openDatabase'>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ variable, problem }) =>
      failure(variable, problem, 'correct it; .env.example explains every variable'),
    );
  }
  const connection = new Connection(config.rpcUrl, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
  });
  const cluster = { config, connection, deployment: deploymentOf(config) };
  const findings = [
    ok('configuration', 'every variable can be used'),
    ...checkKeyFiles(config),
    checkProxy(config),
    await checkRedis(config),
  ];
  const ofCluster = await clusterFindings(cluster);
  const nodeAnswers = ofCluster[0]?.state === 'ok';
  findings.push(...ofCluster);
  let database: Database;
  try {
    database = await openDatabase(config.database);
  } catch (error) {
    return [
      ...findings,
      failure('database', reasonOf(error), 'start it, or correct DATABASE_URL or DATABASE_FOLDER'),
    ];
  }
  try {
    return [...findings, ...(await databaseFindings(database, cluster, nodeAnswers))];
  } finally {
    await database.close();
  }
}

async function clusterFindings(cluster: ClusterParts): Promise<Finding[]> {
  const node = await checkNode(cluster);
  if (node.state !== 'ok') return [node];
  return [
    node,
    await checkWebsocket(cluster),
    ...(await checkProgram(cluster)),
    await checkDevelopmentKeys(cluster),
    await checkServiceName(cluster),
  ];
}

async function databaseFindings(
  database: Database,
  cluster: ClusterParts,
  nodeAnswers: boolean,
): Promise<Finding[]> {
  const { config, connection, deployment } = cluster;
  const where = config.database.kind === 'postgres' ? 'PostgreSQL' : (config.database.folder ?? 'memory');
  const tables = await checkTables(database);
  const findings = [ok('database', `${where} opens`), tables];
  if (tables.state !== 'ok') return findings;
  findings.push(
    await checkBalances(database),
    await checkSettlements(database),
    await checkRecovered(database),
    await checkPartners(database),
  );
  if (!nodeAnswers) return findings;
  const { lagLimitSlots } = config.indexer;
  const programId = deployment.programId.toBase58();
  findings.push(
    await checkIndex(database, connection, { programId, lagLimitSlots }),
    await checkTreasury(config, connection, database),
    ...(await checkTreasuryTokens(config, connection, database)),
    await checkReferralFees(config, database),
    await checkDexOwner(cluster, database),
    await checkSettlement(config, connection, database),
    ...(await checkFeeReceiver(cluster)),
    await checkAdmin(cluster),
    ...(await checkGraduation(cluster)),
  );
  return findings;
}
