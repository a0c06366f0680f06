// connectLaunchpad() over Kit.
import {
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  type Rpc,
  type RpcSubscriptions,
  type SolanaRpcApi,
  type SolanaRpcSubscriptionsApi,
} from '@solana/kit';
import type { LaunchpadInfo } from '../../generated/api/launchpad.js';
import { fetchLaunchpadInfo, type ConnectOptions } from '../../http/launchpad-info.js';
import { MarketClient } from '../../http/market/client.js';
import { createDeployment, type Deployment } from '../accounts/deployment.js';
import { PartnerClient } from '../../http/partner.js';
import { RewardsClient } from '../../http/rewards/client.js';

export type { LaunchpadInfo } from '../../generated/api/launchpad.js';
export { WrongProgramError, type ConnectOptions } from '../../http/launchpad-info.js';

/** A launchpad: its cluster, its programs and its service. */
export interface Launchpad {
  /** What the service publishes of itself. */
  readonly info: LaunchpadInfo;
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Undefined when the service publishes no websocket and `wsUrl` names none. */
  readonly rpcSubscriptions: RpcSubscriptions<SolanaRpcSubscriptionsApi> | undefined;
  /** Pass it to every call that takes a `deployment`. */
  readonly deployment: Deployment;
  readonly market: MarketClient;
  readonly rewards: RewardsClient;
  /** A client of the Partner API. For servers: the key is a secret. */
  partner(apiKey: string): PartnerClient;
}

/**
 * Asks a service for its launchpad, so that nothing else has to be configured: `connectLaunchpad('https://…')`.
 *
 * A service names the program that the wallet calls. Pin it with `{ programId }`, if you know it.
 *
 * @param url URL of the service, with the path prefix of its proxy
 * @throws InvalidArgumentError for a URL that is not http(s); WrongProgramError; ApiError, ConnectionError; the signal's reason
 */
export async function connectLaunchpad(url: string, options: ConnectOptions = {}): Promise<Launchpad> {
  const { info, nodes, service } = await fetchLaunchpadInfo(url, options);
  return {
    info,
    rpc: createSolanaRpc(nodes.rpcUrl),
    rpcSubscriptions: nodes.wsUrl === undefined ? undefined : createSolanaRpcSubscriptions(nodes.wsUrl),
    deployment: await createDeployment(info.deployment),
    market: new MarketClient(service),
    rewards: new RewardsClient(service),
    partner: (apiKey) => new PartnerClient({ ...service, apiKey }),
  };
}
