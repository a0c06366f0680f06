// Reads what a service publishes of its launchpad.
import { requireAddress, type AddressLike } from '../checks/address.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { CurvekitError } from '../errors/index.js';
import { readLaunchpadInfo, type LaunchpadInfo } from '../generated/api/launchpad.js';
import { hostOf } from '../rpc/redact.js';
import { readEnvelopeError } from './envelope-error.js';
import { Transport, type TransportOptions } from './transport.js';

/** Options of `connectLaunchpad`. */
export interface ConnectOptions extends Omit<TransportOptions, 'baseUrl'> {
  /** RPC node to use instead of the published one. */
  readonly rpcUrl?: string | undefined;
  /** Its websocket, if it does not follow from the RPC node's URL. */
  readonly wsUrl?: string | undefined;
  /**
   * The launchpad's program, as a key or in base58. With it, a service that names another program is refused. Without
   * it, the service decides which program the wallet calls.
   */
  readonly programId?: AddressLike | undefined;
  readonly signal?: AbortSignal | undefined;
}

const CONNECT_OPTIONS = {
  rpcUrl: true,
  wsUrl: true,
  programId: true,
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

/** The service names another program than the pinned one. Nothing was signed. */
export class WrongProgramError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'WrongProgramError';
  constructor(
    /** The pinned program in base58. */
    readonly expected: string,
    /** The program that the service names, in base58. */
    readonly named: string,
    service: string,
  ) {
    super(
      `the service at ${service} names program ${named}, expected ${expected}; do not trade there until the launchpad's operator has told you of the new program`,
    );
  }
}

/** @throws InvalidArgumentError, WrongProgramError, ApiError, ConnectionError; the signal's reason */
export async function fetchLaunchpadInfo(url: string, options: ConnectOptions): Promise<FoundLaunchpad> {
  requireKnown('options', options, CONNECT_OPTIONS);
  const { signal, rpcUrl, wsUrl, programId, ...transport } = options;
  const pinned = programId === undefined ? undefined : requireAddress('programId', programId);
  const service = { ...transport, baseUrl: url };
  const json = await new Transport(service, readEnvelopeError, JSON.parse).request({
    method: 'GET',
    path: '/v1/launchpad',
    signal,
  });
  const info = readLaunchpadInfo(json, 'launchpad');
  const { programId: named } = info.deployment;
  if (pinned !== undefined && pinned !== named)
    throw new WrongProgramError(pinned, named, hostOf(url) ?? url);
  const own = rpcUrl === undefined ? undefined : { rpcUrl, wsUrl };
  const published =
    info.rpcUrl === null ? undefined : { rpcUrl: info.rpcUrl, wsUrl: info.wsUrl ?? undefined };
  const ofService = { rpcUrl: `${url.replace(/\/+$/, '')}/rpc`, wsUrl: undefined };
  return { info, nodes: own ?? published ?? ofService, service };
}
