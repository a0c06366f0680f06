// What the service needs of the cluster.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { randomBytes } from 'node:crypto';
import { DEFAULT_DEPLOYMENT, fetchProperties, type Deployment } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import type { Config } from '../../config.js';
import { withinTime } from '../../time-limit.js';
import { hostOf } from '../cluster.js';
import { percent } from '../format.js';
import { failure, ok, reasonOf, type Finding } from './finding.js';

/** Genesis hash of Solana's mainnet-beta, where nobody should use development keys. */
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const TIMEOUT_MS = 5_000;

export interface ClusterParts {
  readonly config: Config;
  readonly connection: Connection;
  readonly deployment: Deployment;
}

/** The node answers. Without it nothing else of the cluster can be looked at. */
export async function checkNode({ config, connection }: ClusterParts): Promise<Finding> {
  const subject = 'RPC node';
  try {
    const { 'solana-core': version } = await withinTime(connection.getVersion(), TIMEOUT_MS, 'the node');
    return ok(subject, `${hostOf(config.rpcUrl)} runs ${version}`);
  } catch (error) {
    return failure(
      subject,
      `${hostOf(config.rpcUrl)} does not answer: ${reasonOf(error)}`,
      'start the node, or set RPC_URL to one that runs',
    );
  }
}

/** The websocket opens. */
export async function checkWebsocket({ config }: ClusterParts): Promise<Finding> {
  const subject = 'websocket';
  try {
    await withinTime(openWebsocket(config.wsUrl), TIMEOUT_MS, 'it');
    return ok(subject, hostOf(config.wsUrl.replace(/^ws/, 'http')).replace(/^http/, 'ws'));
  } catch (error) {
    return failure(
      subject,
      `no websocket: ${reasonOf(error)}`,
      'set WS_URL to the websocket of the node behind RPC_URL; until then trades show with a delay of INDEXER_POLL_MS',
    );
  }
}

/** The program is there, and its properties are set. */
export async function checkProgram({ connection, deployment }: ClusterParts): Promise<Finding[]> {
  const programId = deployment.programId.toBase58();
  const account = await connection.getAccountInfo(deployment.programId);
  if (account?.executable !== true) {
    return [
      failure(
        'program',
        `there is no program at ${programId}`,
        'deploy it (docs/operations.md), or set PROGRAM_ID to where it is',
      ),
    ];
  }
  const properties = await fetchProperties(connection, { deployment });
  return [
    ok('program', programId),
    properties === null
      ? failure(
          'properties',
          'they have never been set: nobody can create a token',
          'run `curvekit properties set` with the admin key',
        )
      : ok('properties', `platform fee ${percent(properties.platformFeeBps)} %`),
  ];
}

/** Nobody uses keys on mainnet that everybody has. */
export async function checkDevelopmentKeys({ connection, deployment }: ClusterParts): Promise<Finding> {
  const subject = 'development keys';
  const used = (['programId', 'dexOwner', 'feeReceiver'] as const).filter((name) =>
    deployment[name].equals(DEFAULT_DEPLOYMENT[name]),
  );
  if (used.length === 0) return ok(subject, 'none is used');
  if ((await connection.getGenesisHash()) !== MAINNET_GENESIS) return ok(subject, 'used, on a test cluster');
  return failure(
    subject,
    `${used.join(', ')} on mainnet: everybody has these keys`,
    'build the program with keys of your own, and set PROGRAM_ID, DEX_OWNER_KEYPAIR and FEE_RECEIVER_KEYPAIR',
  );
}

/** Asks for an upgrade of the protocol, as a client does, and hangs up. */
function openWebsocket(url: string): Promise<void> {
  const address = url.replace(/^ws/, 'http');
  const get = address.startsWith('https:') ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    const request = get(address, {
      timeout: TIMEOUT_MS,
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
    request.once('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    request.once('error', reject);
  });
}
