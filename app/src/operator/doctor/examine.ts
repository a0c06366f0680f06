// Runs all checks. Each check comes after the checks that it depends on.
import { adminKeyProblem } from '../../config/admin-key.js';
import { ConfigError, readConfig, type Config } from '../../config/config.js';
import { withFiles } from '../../config/secret-files.js';
import { unusedVariables } from '../../config/unused.js';
import { deploymentOf } from '../../context.js';
import type { Database } from '../../db/database.js';
import { DatabaseError } from '../../db/errors.js';
import { connectNode } from '../../chain/connection.js';
import { hostOf } from '../../chain/node-request.js';
import type { Terminal } from '../command.js';
import { checkAdmin, checkDexOwner, checkFeeReceiver } from './authority-checks.js';
import type { CommandCluster } from '../session.js';
import {
  checkClock,
  checkDevelopmentKeys,
  checkNode,
  checkProgram,
  checkServiceName,
  checkWebsocket,
  checkFeed,
  checkHolders,
} from './cluster-checks.js';
import {
  checkBalances,
  checkIndex,
  checkPartners,
  checkPayments,
  checkRecovered,
  checkSettlements,
  checkTables,
  checkPartitions,
  checkPooler,
  checkReplicas,
} from './database-checks.js';
import { failure, ok, reasonOf, unlessNodeFails, warning, type Finding } from './finding.js';
import { checkGraduation, checkSoldOut } from './graduation-checks.js';
import { checkProxy, checkRedis, checkKeyFiles, checkSigners, checkUploads } from './process-checks.js';
import { checkReferralFees, checkSettlement, checkTreasury, checkTreasuryTokens } from './treasury-checks.js';

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
    ...unusedVariables(set).map(({ name, reason }) =>
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

async function clusterFindings(cluster: CommandCluster): Promise<Finding[]> {
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

type CheckOfBoth = (cluster: CommandCluster, database: Database) => Promise<Finding | readonly Finding[]>;

const OF_TABLES = [
  checkPartitions,
  checkPayments,
  checkBalances,
  checkSettlements,
  checkRecovered,
  checkPartners,
];
/** By the subject of the finding when the RPC node fails meanwhile. */
const OF_BOTH: readonly (readonly [subject: string, check: CheckOfBoth])[] = [
  ['index', checkIndex],
  ['treasury', checkTreasury],
  ['treasury tokens', checkTreasuryTokens],
  ['referral rewards', checkReferralFees],
  ['DEX owner', checkDexOwner],
  ['settlement', checkSettlement],
  ['holders', checkHolders],
  ['fee receiver', checkFeeReceiver],
  ['admin', checkAdmin],
  ['graduation', checkGraduation],
  ['sold-out curves', checkSoldOut],
];

async function databaseFindings(
  database: Database,
  cluster: CommandCluster,
  nodeAnswers: boolean,
): Promise<Finding[]> {
  const { config } = cluster;
  const where = config.database.kind === 'postgres' ? 'PostgreSQL' : (config.database.folder ?? 'memory');
  const findings = [ok('database', `${where} opens`)];
  if (config.database.kind === 'postgres') findings.push(await checkPooler(config.database.url));
  findings.push(...(await checkReplicas(database)));
  const tables = await checkTables(database);
  findings.push(tables);
  if (tables.state !== 'ok') return findings;
  for (const check of OF_TABLES) findings.push(await check(database));
  if (!nodeAnswers) return findings;
  for (const [subject, check] of OF_BOTH)
    findings.push(...(await unlessNodeFails(subject, check(cluster, database))));
  return findings;
}
