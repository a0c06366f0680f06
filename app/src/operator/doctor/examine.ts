// Runs all checks. Each check comes after the checks that it depends on.
import { adminKeyProblem } from '../../config/admin-key.js';
import { ConfigError, readConfig, type Config } from '../../config/config.js';
import { ALL_VARIABLES } from '../../config/environment.js';
import { withFiles } from '../../config/secret-files.js';
import { unusedVariables } from '../../config/unused.js';
import { deploymentOf } from '../../context.js';
import type { Database } from '../../db/database.js';
import { DatabaseError } from '../../db/errors.js';
import { connectNode } from '../../chain/connection.js';
import { hostOf } from '../../chain/node-request.js';
import type { Terminal } from '../command.js';
import { checkAdmin } from './admin-check.js';
import { checkClock } from './clock-check.js';
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
  checkPayments,
  checkRecovered,
  checkSettlements,
  checkTables,
} from './database-checks.js';
import { checkDexOwner } from './dex-owner-check.js';
import { checkFeed } from './feed-check.js';
import { checkFeeReceiver } from './fee-receiver-check.js';
import { failure, ok, reasonOf, unlessNodeFails, warning, type Finding } from './finding.js';
import { checkGraduation, checkSoldOut } from './graduation-checks.js';
import { checkHolders } from './holders-check.js';
import { checkPartitions } from './partition-check.js';
import { checkPooler } from './pooler-check.js';
import { checkReplicas } from './replica-check.js';
import { checkProxy, checkRedis } from './http-checks.js';
import { checkKeyFiles } from './key-file-check.js';
import { checkSigners } from './signer-check.js';
import { checkReferralFees, checkSettlement, checkTreasury, checkTreasuryTokens } from './treasury-checks.js';
import { checkUploads } from './uploads-check.js';

const TIMEOUT_MS = 5_000;

/** Checks the configuration and everything that it names. Changes nothing. */
export async function examine({
  environment,
  openDatabase,
  err,
}: Pick<Terminal, 'environment' | 'openDatabase' | 'err'>): Promise<Finding[]> {
  const checking = (what: string): void => err(`curvekit: checking ${what}`);
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      ...error.problems.map(({ variable, problem }) =>
        failure(
          variable,
          problem,
          'correct it; .env.example explains every variable',
          'ConfigurationRefused',
        ),
      ),
      ...checkUnused(environment),
    ];
  }
  const connection = connectNode(config, { timeoutMs: TIMEOUT_MS });
  const cluster = { config, connection, deployment: deploymentOf(config) };
  checking('the configuration, Redis and the uploads');
  const findings = [
    ok('configuration', 'every variable can be used'),
    ...checkUnused(environment),
    ...checkKeyFiles(config),
    ...checkAdminKey(config),
    ...(await checkSigners(config)),
    checkProxy(config),
    await checkRedis(config),
    await checkUploads(config),
  ];
  checking(`the RPC node ${hostOf(config.rpcUrl)}`);
  const ofCluster = await clusterFindings(cluster);
  const nodeAnswers = ofCluster[0]?.state === 'ok';
  findings.push(...ofCluster);
  checking('the database, the balances and the keys, usually 2 to 30 s');
  let database: Database;
  try {
    database = await openDatabase(config.database);
  } catch (error) {
    const [, problem = reasonOf(error), fix = 'start it, or correct DATABASE_URL or DATABASE_FOLDER'] =
      error instanceof DatabaseError ? (/^(.*); (.*)$/s.exec(error.message) ?? []) : [];
    return [...findings, failure('database', problem, fix, 'DatabaseUnreachable')];
  }
  try {
    return [...findings, ...(await databaseFindings(database, cluster, nodeAnswers))];
  } finally {
    await database.close();
  }
}

function checkUnused(environment: Terminal['environment']): Finding[] {
  const set = withFiles(environment).environment;
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => set[name]);
  return [
    ...unusedVariables(set, ALL_VARIABLES).map(({ name, reason }) =>
      warning(name, reason, 'correct its name, or remove it', 'VariablesUnused'),
    ),
    ...proxy.map((name) =>
      warning(
        name,
        'is not used: the service connects without a proxy',
        'let it reach the RPC node and other hosts directly, and remove the variable',
        'VariablesUnused',
      ),
    ),
  ];
}

function checkAdminKey(config: Config): Finding[] {
  const found = adminKeyProblem(config);
  return found === undefined ? [] : [warning('ADMIN_KEYPAIR', found.problem, found.fix, 'AdminKeyInService')];
}

async function clusterFindings(cluster: ClusterParts): Promise<Finding[]> {
  const node = await checkNode(cluster);
  if (node.state !== 'ok') return [node];
  return [
    node,
    await checkWebsocket(cluster),
    ...(await checkFeed(cluster)),
    ...(await unlessNodeFails('clock', checkClock(cluster))),
    ...(await unlessNodeFails('program', checkProgram(cluster))),
    ...(await unlessNodeFails('development keys', checkDevelopmentKeys(cluster))),
    ...(await unlessNodeFails('service name', checkServiceName(cluster))),
  ];
}

async function databaseFindings(
  database: Database,
  cluster: ClusterParts,
  nodeAnswers: boolean,
): Promise<Finding[]> {
  const { config, connection, deployment } = cluster;
  const where = config.database.kind === 'postgres' ? 'PostgreSQL' : (config.database.folder ?? 'memory');
  const findings = [ok('database', `${where} opens`)];
  if (config.database.kind === 'postgres') findings.push(await checkPooler(config.database.url));
  findings.push(...(await checkReplicas(database)));
  const tables = await checkTables(database);
  findings.push(tables);
  if (tables.state !== 'ok') return findings;
  findings.push(
    await checkPartitions(database),
    await checkPayments(database),
    await checkBalances(database),
    await checkSettlements(database),
    await checkRecovered(database),
    await checkPartners(database),
  );
  if (!nodeAnswers) return findings;
  const { lagLimitSlots } = config.indexer;
  const programId = deployment.programId.toBase58();
  findings.push(
    ...(await unlessNodeFails('index', checkIndex(database, connection, { programId, lagLimitSlots }))),
    ...(await unlessNodeFails('treasury', checkTreasury(config, connection, database))),
    ...(await unlessNodeFails('treasury tokens', checkTreasuryTokens(config, connection, database))),
    await checkReferralFees(config, database),
    ...(await unlessNodeFails('DEX owner', checkDexOwner(cluster, database))),
    ...(await unlessNodeFails('settlement', checkSettlement(config, connection, database))),
    await checkHolders(config, database),
    ...(await unlessNodeFails('fee receiver', checkFeeReceiver(cluster))),
    ...(await unlessNodeFails('admin', checkAdmin(cluster))),
    ...(await unlessNodeFails('graduation', checkGraduation(cluster))),
    ...(await unlessNodeFails('sold-out curves', checkSoldOut(cluster, database))),
  );
  return findings;
}
