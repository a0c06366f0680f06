// Reads what a service publishes of its launchpad.
import { requireKnown, type OptionNames } from '../checks/options.js';
import { readLaunchpadInfo, type LaunchpadInfo } from '../generated/api/launchpad.js';
import { readEnvelopeError } from './envelope-error.js';
import { Transport, type TransportOptions } from './transport.js';

/** Options of `connectLaunchpad`. */
export interface ConnectOptions extends Omit<TransportOptions, 'baseUrl'> {
  /** RPC node to use instead of the published one. */
  readonly rpcUrl?: string | undefined;
  /** Its websocket, if it does not follow from the RPC node's URL. */
  readonly wsUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const CONNECT_OPTIONS = {
  rpcUrl: true,
  wsUrl: true,
  signal: true,
  fetch: true,
  timeoutMs: true,
  retries: true,
  longestWaitMs: true,
} as const satisfies OptionNames<ConnectOptions>;

/** The nodes to use: the caller's, the published ones, or the service's own `POST /rpc`, which has no websocket. */
export interface Nodes {
  readonly rpcUrl: string;
  readonly wsUrl: string | undefined;
}

export interface FoundLaunchpad {
  readonly info: LaunchpadInfo;
  readonly nodes: Nodes;
  /** Options for the clients of the service. */
  readonly service: TransportOptions;
}

/** @throws InvalidArgumentError, ApiError, ConnectionError; the signal's reason */
export async function fetchLaunchpadInfo(url: string, options: ConnectOptions): Promise<FoundLaunchpad> {
  requireKnown('options', options, CONNECT_OPTIONS);
  const { signal, rpcUrl, wsUrl, ...transport } = options;
  const service = { ...transport, baseUrl: url };
  const json = await new Transport(service, readEnvelopeError, JSON.parse).request({
    method: 'GET',
    path: '/v1/launchpad',
    signal,
  });
  const info = readLaunchpadInfo(json, 'launchpad');
  const own = rpcUrl === undefined ? undefined : { rpcUrl, wsUrl };
  const published =
    info.rpcUrl === null ? undefined : { rpcUrl: info.rpcUrl, wsUrl: info.wsUrl ?? undefined };
  const ofService = { rpcUrl: `${url.replace(/\/+$/, '')}/rpc`, wsUrl: undefined };
  return { info, nodes: own ?? published ?? ofService, service };
}
