// Checks the options that all senders of a transaction share.
import type { Deployment } from '../accounts/deployment.js';
import { requireInteger, requireU64 } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import type { Properties } from '../generated/accounts.js';
import { BASIS_POINTS } from '../generated/constants.js';
import { requireStallTimeout } from '../landing/track.js';
import { hostOf } from '../rpc/redact.js';
import { WrongClusterError } from './errors.js';
import type { SendingRoute, SendingRules } from './options.js';
import { requireMemory } from './unfinished.js';

/** @throws InvalidArgumentError that names the option out of bounds */
export function requireRules(options: SendingRules & Pick<SendingRoute, 'composition'>): void {
  const { computeUnitPrice, highestComputeUnitPrice, stallTimeoutMs, readTimeoutMs, remember } = options;
  const { composition } = options;
  if (composition !== undefined && typeof composition.composed !== 'function')
    throw new InvalidArgumentError('composition', 'must be what compose() returns');
  if (computeUnitPrice !== undefined) requireU64('computeUnitPrice', computeUnitPrice);
  if (highestComputeUnitPrice !== undefined) requireU64('highestComputeUnitPrice', highestComputeUnitPrice);
  if (stallTimeoutMs !== undefined) requireStallTimeout(stallTimeoutMs);
  if (readTimeoutMs !== undefined) requireInteger('readTimeoutMs', readTimeoutMs, LONGEST_READ_MS, 1);
  if (remember !== undefined) requireMemory(remember);
}

/** @throws InvalidArgumentError */
export function requireVenueName(venue: string | undefined): void {
  if (venue === undefined || venue === 'curve' || venue === 'pool') return;
  throw new InvalidArgumentError('venue', `is '${String(venue)}'; it must be 'curve' or 'pool'`);
}

/** @throws InvalidArgumentError for 10,000 basis points too: then a trade has no limit */
export function requireSlippage(slippageBps: number): void {
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  if (slippageBps === BASIS_POINTS)
    throw new InvalidArgumentError(
      'slippageBps',
      `is ${BASIS_POINTS}, which accepts any price; it must be from 0 to ${BASIS_POINTS - 1}`,
    );
}

const LONGEST_READ_MS = 3_600_000;

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
