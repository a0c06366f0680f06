// Checks of the cluster.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { randomBytes } from 'node:crypto';
import { fetchProperties } from '@curvekit/sdk';
import { type Connection, PublicKey } from '@solana/web3.js';
import { callWithin } from '../../base/call-within.js';
import { UNNAMED, type Config } from '../../config/config.js';
import { simulatorProblem } from '../../chain/simulator.js';
import { hostOf } from '../../chain/node-request.js';
import { percent } from '../format.js';
import { failure, ok, problemOf, reasonOf, type Finding, warning } from './finding.js';
import { isLocalCluster, MAINNET_GENESIS, unusableAddresses } from './addresses.js';
import { newestMint } from './database-checks.js';
import type { CommandCluster } from '../session.js';
import { type Database } from '../../db/database.js';
import { readHoldings } from '../../graduation/settlement/periods/holders.js';

const TIMEOUT_MS = 5_000;

/** The RPC node answers. The other cluster checks need it. */
export async function checkNode({ config, connection }: CommandCluster): Promise<Finding> {
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

export async function checkWebsocket({ config }: CommandCluster): Promise<Finding> {
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
export async function checkProgram({ connection, deployment }: CommandCluster): Promise<Finding[]> {
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
}: Pick<CommandCluster, 'connection' | 'deployment'>): Promise<Finding> {
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
export async function checkServiceName({ config, connection }: CommandCluster): Promise<Finding> {
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

/** A finalized block is about this old. */
const FINALITY_SECONDS = 15;
/** Signed requests are refused when the clocks differ by five minutes. */
const MOST_CLOCK_SECONDS = 60;
const MS = 1_000;

/** Compares this machine's clock with the newest finalized block. A simulator's blocks do not follow real time. */
export async function checkClock({ config, connection }: CommandCluster): Promise<readonly Finding[]> {
  if (config.isSimulated) return [];
  const subject = 'clock';
  const time = await connection.getBlockTime(await connection.getSlot('finalized'));
  if (time === null) return [];
  const ahead = Math.round(Date.now() / MS) - time - FINALITY_SECONDS;
  if (Math.abs(ahead) <= MOST_CLOCK_SECONDS) return [ok(subject, 'near that of the cluster')];
  return [
    failure(
      subject,
      `this machine's clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the newest finalized block`,
      ahead > 0
        ? "synchronise the clock (NTP), since wallets' signed requests are refused when it is wrong; if it is right, the node or the cluster has stopped"
        : "synchronise the clock (NTP): wallets' signed requests are refused when it is wrong",
      'ClockWrong',
    ),
  ];
}

/** Slots between two requests, or between two healthy nodes. */
const MOST_BEHIND = 32;

/** The gRPC feed answers with its token, and is at the tip of the RPC node's chain. */
export async function checkFeed({
  config: { yellowstone },
  connection,
}: {
  readonly config: Pick<Config, 'yellowstone'>;
  readonly connection: Pick<Connection, 'getSlot'>;
}): Promise<Finding[]> {
  if (yellowstone === undefined) return [];
  const subject = 'gRPC feed';
  try {
    const { feedSlot } = await import('../../index/feed/connection.js');
    const [slot, tip] = await Promise.all([feedSlot(yellowstone), connection.getSlot('confirmed')]);
    const behind = tip - slot;
    if (Math.abs(behind) <= MOST_BEHIND)
      return [ok(subject, `${hostOf(yellowstone.url)} is at the tip of the chain`)];
    return [
      warning(
        subject,
        `${hostOf(yellowstone.url)} is ${Math.abs(behind)} slots ${behind > 0 ? 'behind' : 'ahead of'} the RPC node`,
        'use a feed and an RPC node of the same cluster that both keep up; until then the RPC node is asked for every transaction',
        'FeedDown',
      ),
    ];
  } catch (error) {
    return [
      failure(
        subject,
        `${hostOf(yellowstone.url)}: ${reasonOf(error)}`,
        'correct YELLOWSTONE_URL and YELLOWSTONE_TOKEN, or remove them; until then the RPC node is asked for every transaction',
        'FeedDown',
      ),
    ];
  }
}

const HOLDERS_TIMEOUT_MS = 20_000;
const FIX =
  'set RPC_URL to a node that answers getProgramAccounts on the token program (one with an index of it, without a limit on accounts)';

/** Reads the holders of the newest token, as a settlement's sample does. */
export async function checkHolders(
  { config: { rpcUrl, dexOwner } }: CommandCluster,
  database: Database,
): Promise<Finding> {
  const subject = 'holders';
  // Without a token, the answer is an empty list.
  const mint = (await newestMint(database)) ?? PublicKey.default;
  const signal = AbortSignal.timeout(HOLDERS_TIMEOUT_MS);
  try {
    const batches = readHoldings({ rpcUrl, mint, minContextSlot: 0, commitment: 'confirmed', signal });
    for (let batch = await batches.next(); batch.done !== true;) batch = await batches.next();
    return ok(subject, 'the node lists token accounts (getProgramAccounts)');
  } catch (error) {
    const { detail } = problemOf(error);
    return dexOwner === undefined
      ? warning(subject, `the page shows no holders: ${detail}`, FIX, 'HoldersRefused')
      : failure(subject, `settlements cannot sample the holders: ${detail}`, FIX, 'HoldersRefused');
  }
}
