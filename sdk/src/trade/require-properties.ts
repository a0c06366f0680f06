import type { Deployment } from '../accounts/deployment.js';
import type { Properties } from '../generated/accounts.js';
import { hostOf } from '../rpc/redact.js';
import { WrongClusterError } from './errors.js';

/** @throws WrongClusterError when there are no properties */
export function requireProperties(
  properties: Properties | null,
  { rpcEndpoint }: { readonly rpcEndpoint?: string },
  { programId }: Deployment,
): Properties {
  // Kit's clients do not expose their URL.
  const host = hostOf(rpcEndpoint) ?? 'the RPC node';
  if (properties === null) throw new WrongClusterError(programId, host);
  return properties;
}
