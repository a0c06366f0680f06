// Checks of the cluster.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { randomBytes } from 'node:crypto';
import { fetchProperties, type Deployment } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import { callWithin } from '../../base/call-within.js';
import { UNNAMED, type Config } from '../../config/config.js';
import { simulatorProblem } from '../../chain/simulator.js';
import { hostOf } from '../../chain/node-request.js';
import { percent } from '../format.js';
import { failure, ok, problemOf, reasonOf, type Finding } from './finding.js';
import { isLocalCluster, MAINNET_GENESIS, unusableAddresses } from './unusable-addresses.js';

const TIMEOUT_MS = 5_000;

export interface ClusterParts {
  readonly config: Config;
  readonly connection: Connection;
  readonly deployment: Deployment;
}

/** The RPC node answers. The other cluster checks need it. */
export async function checkNode({ config, connection }: ClusterParts): Promise<Finding> {
  const subject = 'RPC node';
  try {
    const answer = await connection.getVersion();
    const problem = simulatorProblem(config.isSimulated, answer);
    if (problem !== undefined) {
      const [what, fix] = problem.split('; ', 2) as [string, string];
      return failure(subject, what, fix, 'NodeFails');
    }
    const kind = config.isSimulated ? 'a simulator, whose answers are trusted' : 'a real cluster';
    return ok(subject, `${hostOf(config.rpcUrl)} runs ${answer['solana-core']}: ${kind}`);
  } catch (error) {
    const { detail, fix } = problemOf(error);
    return failure(subject, detail, fix, 'NodeFails');
  }
}

/** The websocket opens. */
export async function checkWebsocket({ config }: ClusterParts): Promise<Finding> {
  const subject = 'websocket';
  const host = hostOf(config.wsUrl.replace(/^ws/, 'http')).replace(/^http/, 'ws');
  try {
    await callWithin({ what: 'it', limitMs: TIMEOUT_MS }, (signal) => openWebsocket(config.wsUrl, signal));
    return ok(subject, host);
  } catch (error) {
    return failure(
      subject,
      `no websocket at ${host}: ${reasonOf(error)}`,
      'set WS_URL to the websocket of the node behind RPC_URL; until then trades show with a delay of INDEXER_POLL_MS',
      'WebsocketFails',
    );
  }
}

/** The program is deployed, and its properties are set. */
export async function checkProgram({ connection, deployment }: ClusterParts): Promise<Finding[]> {
  const programId = deployment.programId.toBase58();
  const account = await connection.getAccountInfo(deployment.programId);
  if (account?.executable !== true) {
    return [
      failure(
        'program',
        `there is no program at ${programId}`,
        'deploy it (docs/run.md), or set PROGRAM_ID to where it is',
        'ProgramMissing',
      ),
    ];
  }
  const properties = await fetchProperties(connection, { deployment });
  return [
    ok('program', programId),
    properties === null
      ? failure(
          'properties',
          'they have not been set: nobody can create a token',
          'run `curvekit properties set` with the admin key',
          'PropertiesMissing',
        )
      : ok('properties', `platform fee ${percent(properties.platformFeeBps)} %`),
  ];
}

/** Every cluster but a local one has keys of its own, at addresses that somebody can sign for. */
export async function checkDevelopmentKeys({
  connection,
  deployment,
}: Pick<ClusterParts, 'connection' | 'deployment'>): Promise<Finding> {
  const subject = 'development keys';
  const used = unusableAddresses(deployment);
  if (used.length === 0) return ok(subject, 'none is used');
  if (await isLocalCluster(connection)) return ok(subject, 'used, on a local cluster');
  return failure(
    subject,
    used.map(({ role, address, why }) => `${role} ${address.toBase58()}: ${why}`).join('; '),
    'build the programs with keys of your own and the feature mainnet (docs/run.md), and set their addresses',
    'DevelopmentKeys',
  );
}

/** The service has a name, so users know which service they sign a message for. */
export async function checkServiceName({ config, connection }: ClusterParts): Promise<Finding> {
  const subject = 'service name';
  const isNamed = config.serviceName !== UNNAMED;
  if (isNamed || (await connection.getGenesisHash()) !== MAINNET_GENESIS)
    return ok(subject, `messages to sign name '${config.serviceName}'`);
  return failure(
    subject,
    `messages to sign name '${UNNAMED}', the default of every installation without a name: another service could get them signed`,
    'set PUBLIC_URL, whose host is then the name, or SERVICE_NAME',
    'ServiceUnnamed',
  );
}

/** Requests a websocket upgrade, then disconnects. */
function openWebsocket(url: string, signal: AbortSignal): Promise<void> {
  const address = url.replace(/^ws/, 'http');
  const get = address.startsWith('https:') ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    const request = get(address, {
      signal,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    });
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      resolve();
    });
    request.once('response', ({ statusCode }) => {
      request.destroy();
      reject(new Error(`the address answers HTTP ${statusCode} instead of a websocket`));
    });
    request.once('error', reject);
  });
}
